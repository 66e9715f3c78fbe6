using PubSubOverWs.Experiment.Design;
using PubSubOverWs.LoadTest.Targets;

namespace PubSubOverWs.LoadTest.Faults;

/// <summary>Carries out each fault action of an iteration on time, undoes it, and restores everything at the end.</summary>
/// <param name="actions">In order; one ends before the next begins.</param>
/// <param name="lasts">From the first due: then everything is taken back, in every arm after the same time.</param>
/// <param name="injector">Where it is done.</param>
/// <param name="time">The clock.</param>
public sealed class FaultSchedule(
    IReadOnlyList<FaultAction> actions, TimeSpan lasts, IFaultInjector injector, TimeProvider time) : IDisturbance
{
    /// <summary>Actions that were carried out.</summary>
    public int Actions { get; private set; }

    /// <summary>From the end of what was done to a node until it was ready again; null: nothing was.</summary>
    public TimeSpan? ReadyAgain => injector.ReadyAgain;

    public Task BeginAsync(CancellationToken cancellationToken) => injector.BeginAsync(cancellationToken);

    public async Task PlayAsync(CancellationToken cancellationToken)
    {
        try
        {
            await PlayAsync(time.GetTimestamp(), cancellationToken);
        }
        finally
        {
            await injector.EndAsync();
        }
    }

    private async Task PlayAsync(long firstDue, CancellationToken cancellationToken)
    {
        foreach (var action in actions)
        {
            await UntilAsync(firstDue, action.At, cancellationToken);
            await injector.DoAsync(action.Kind, cancellationToken);
            Actions++;
            var over = action.At + action.For;
            await UntilAsync(firstDue, over, cancellationToken);
            await injector.UndoAsync(action.Kind, firstDue + (long)(over.TotalSeconds * time.TimestampFrequency), cancellationToken);
        }

        await UntilAsync(firstDue, lasts, cancellationToken);
        await injector.CalmAsync(cancellationToken);
    }

    private Task UntilAsync(long firstDue, TimeSpan at, CancellationToken cancellationToken)
    {
        var left = at - time.GetElapsedTime(firstDue);
        return left > TimeSpan.Zero ? Task.Delay(left, time, cancellationToken) : Task.CompletedTask;
    }
}

/// <summary>Where fault actions are carried out: the processes of one arm, its queue, and the proxies before both.</summary>
public interface IFaultInjector
{
    /// <summary>From the end of what was done to a node until it was ready again; null: nothing was.</summary>
    TimeSpan? ReadyAgain { get; }

    /// <summary>What lasts as long as the iteration.</summary>
    Task BeginAsync(CancellationToken cancellationToken);

    /// <summary>Done when it returns; what must be ready for the undoing is under way then.</summary>
    Task DoAsync(FaultActionKind action, CancellationToken cancellationToken);

    /// <summary>Undone when it returns: connections are accepted from then on.</summary>
    /// <param name="action">That was done.</param>
    /// <param name="due">When it was to be over: a time stamp of the schedule's clock.</param>
    Task UndoAsync(FaultActionKind action, long due, CancellationToken cancellationToken);

    /// <summary>Takes everything back.</summary>
    Task CalmAsync(CancellationToken cancellationToken);

    /// <summary>
    /// Also after a failure or a cut: completes when nothing is still under way. Never throws.
    /// </summary>
    Task EndAsync();
}
