using System.Collections.Immutable;
using FsCheck;
using FsCheck.Experimental;
using FsCheck.Fluent;

namespace PubSubOverWs.Tests.Fuzz.Model;

/// <summary>One queue as it should be: what it holds, and until when each message is hidden.</summary>
/// <param name="Now">Seconds since the beginning.</param>
/// <param name="HiddenUntil">By message; 0: it is visible.</param>
/// <param name="Held">Whose receipt the consumer has, in order of their numbers; what became visible again since is none of them.</param>
/// <param name="Published">So many so far: the number of the next.</param>
internal sealed record QueueModel(int Now, ImmutableSortedDictionary<int, int> HiddenUntil, ImmutableSortedSet<int> Held, int Published)
{
    /// <summary>Seconds for which what was delivered is hidden.</summary>
    public const int Visibility = 30;

    public static QueueModel Empty { get; } = new(0, ImmutableSortedDictionary<int, int>.Empty, ImmutableSortedSet<int>.Empty, 0);

    public IEnumerable<int> Visible => HiddenUntil.Where(pair => pair.Value <= Now).Select(pair => pair.Key);

    public int InFlight => HiddenUntil.Count(pair => pair.Value > Now);

    public QueueModel Publish() => this with { HiddenUntil = HiddenUntil.Add(Published, 0), Published = Published + 1 };

    public QueueModel Deliver() =>
        this with
        {
            HiddenUntil = HiddenUntil.SetItems(Visible.Select(message => KeyValuePair.Create(message, Now + Visibility))),
            Held = Held.Union(Visible)
        };

    public QueueModel Acknowledge(int message) => this with { HiddenUntil = HiddenUntil.Remove(message), Held = Held.Remove(message) };

    public QueueModel GiveBack(int message) => this with { HiddenUntil = HiddenUntil.SetItem(message, 0), Held = Held.Remove(message) };

    /// <summary>The consumer is gone with all its receipts; what it held comes again when its time is over.</summary>
    public QueueModel Crash() => this with { Held = Held.Clear() };

    public QueueModel Wait(int seconds)
    {
        var later = this with { Now = Now + seconds };
        return later with { Held = later.Held.Except(later.Visible) };
    }
}

/// <summary>One thing that happens to the queue and to its model.</summary>
/// <param name="does">Gets the model as it was before and as it is after; false: what is tested did otherwise.</param>
internal sealed class ModelStep<T>(
    string name, Func<QueueModel, QueueModel> next, Func<T, QueueModel, QueueModel, bool> does, Func<QueueModel, bool> isPossible)
    : Operation<T, QueueModel>
{
    private QueueModel _before = QueueModel.Empty;

    public override bool Pre(QueueModel model) => isPossible(model);

    public override QueueModel Run(QueueModel model)
    {
        _before = model;
        return next(model);
    }

    public override Property Check(T actual, QueueModel model) => does(actual, _before, model).ToProperty();

    public override string ToString() => name;
}
