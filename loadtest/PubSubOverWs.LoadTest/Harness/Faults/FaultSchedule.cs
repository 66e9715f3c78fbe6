using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.LoadTest.Harness.Faults;

/// <summary>Carries out each fault action of an iteration on time, undoes it, and restores everything at the end.</summary>
/// <param name="actions">In order; each ends before the next begins.</param>
/// <param name="lasts">From the first due time until everything is restored: the same in every arm.</param>
public sealed class FaultSchedule(
    IReadOnlyList<FaultAction> actions, TimeSpan lasts, IFaultInjector injector, TimeProvider time) : IDisturbance
{
    public int Actions { get; private set; }

    public TimeSpan? ReadyAgain => injector.ReadyAgain;

    public Task BeginAsync(CancellationToken cancellationToken) => injector.BeginAsync(cancellationToken);

    public async Task RunAsync(CancellationToken cancellationToken)
    {
        try
        {
            await RunAsync(time.GetTimestamp(), cancellationToken);
        }
        finally
        {
            await injector.EndAsync();
        }
    }

    private async Task RunAsync(long firstDue, CancellationToken cancellationToken)
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

/// <summary>Carries out fault actions on the processes of one arm, its queue, and the proxies in front of both.</summary>
public interface IFaultInjector
{
    /// <summary>From the end of a fault of a node until the node was ready again; null: there was none.</summary>
    TimeSpan? ReadyAgain { get; }

    /// <summary>Begins what lasts as long as the iteration.</summary>
    Task BeginAsync(CancellationToken cancellationToken);

    /// <summary>Completes when the action was done; a restart that it needs is then under way.</summary>
    Task DoAsync(FaultActionKind action, CancellationToken cancellationToken);

    /// <summary>Completes when the action was undone: connections are accepted again.</summary>
    /// <param name="due">When it should be over: a time stamp of the schedule's clock.</param>
    Task UndoAsync(FaultActionKind action, long due, CancellationToken cancellationToken);

    /// <summary>Ends all faults.</summary>
    Task CalmAsync(CancellationToken cancellationToken);

    /// <summary>Completes when nothing is under way any more, also after a failure or an interruption. Never throws.</summary>
    Task EndAsync();
}
