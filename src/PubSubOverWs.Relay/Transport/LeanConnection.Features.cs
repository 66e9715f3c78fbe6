using System.Collections;
using Microsoft.AspNetCore.Http.Features;

namespace PubSubOverWs.Relay;

/// <content>Its features: those that it is itself, unless others were set.</content>
internal sealed partial class LeanConnection : IFeatureCollection
{
    // Kestrel sets as many of each connection.
    private const int UsualFeatures = 5;

    private KeyValuePair<Type, object>[] _features = new KeyValuePair<Type, object>[UsualFeatures];
    private int _count, _revision;

    bool IFeatureCollection.IsReadOnly => false;
    int IFeatureCollection.Revision => _revision;

    object? IFeatureCollection.this[Type key]
    {
        get => Find(key);
        set => Set(key, value);
    }

    TFeature? IFeatureCollection.Get<TFeature>()
        where TFeature : default => (TFeature?)Find(typeof(TFeature));

    void IFeatureCollection.Set<TFeature>(TFeature? instance)
        where TFeature : default => Set(typeof(TFeature), instance);

    IEnumerator<KeyValuePair<Type, object>> IEnumerable<KeyValuePair<Type, object>>.GetEnumerator() =>
        _features.Where(feature => feature.Value is not null).GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => ((IEnumerable<KeyValuePair<Type, object>>)this).GetEnumerator();

    // The web server may be looking for one on another thread, when it stops.
    private void Forget()
    {
        _count = 0;
        Volatile.Write(ref _features, []);
        _items = null;
    }

    private object? Find(Type key)
    {
        var features = Volatile.Read(ref _features);
        foreach (var (type, feature) in features.AsSpan(0, Math.Min(_count, features.Length)))
        {
            if (type == key)
                return feature;
        }
        return key.IsInstanceOfType(this) ? this : null;
    }

    private void Set(Type key, object? feature)
    {
        _revision++;
        for (var i = 0; i < _count; i++)
        {
            if (_features[i].Key == key)
            {
                _features[i] = new(key, feature!);
                return;
            }
        }
        if (_count == _features.Length)
            Array.Resize(ref _features, Math.Max(UsualFeatures, 2 * _count));
        _features[_count++] = new(key, feature!);
    }
}
