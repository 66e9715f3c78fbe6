namespace PubSubOverWs.LoadTest.Network.Proxy;

/// <summary>Lets all bytes of a proxy through, or none.</summary>
public sealed class Valve
{
    private volatile TaskCompletionSource? _shut;

    /// <summary>From now on nothing passes; nothing happens if it is shut already.</summary>
    public void Shut() => _shut ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);

    public void Open()
    {
        var shut = _shut;
        _shut = null;
        shut?.SetResult();
    }

    /// <summary>Completes while the valve is open.</summary>
    public async ValueTask PassAsync(CancellationToken cancellationToken)
    {
        while (_shut is { } shut)
            await shut.Task.WaitAsync(cancellationToken);
    }
}
