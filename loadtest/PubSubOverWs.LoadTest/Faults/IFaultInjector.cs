using PubSubOverWs.Experiment.Design;

namespace PubSubOverWs.LoadTest.Faults;

/// <summary>Where fault actions are carried out: the processes of one arm, its queue, and the proxies before both.</summary>
public interface IFaultInjector
{
    /// <summary>What lasts as long as the iteration.</summary>
    Task BeginAsync(CancellationToken cancellationToken);

    /// <summary>Done when it returns; what must be ready for the undoing is under way then.</summary>
    Task DoAsync(FaultActionKind action, CancellationToken cancellationToken);

    /// <summary>Undone when it returns: connections are accepted from then on.</summary>
    /// <param name="action">That was done.</param>
    /// <param name="due">When it was to be over: a time stamp of the play's clock.</param>
    Task UndoAsync(FaultActionKind action, long due, CancellationToken cancellationToken);

    /// <summary>Takes everything back.</summary>
    Task CalmAsync(CancellationToken cancellationToken);

    /// <summary>
    /// Also of a play that was cut or failed: completes when nothing that it began goes on behind the caller's back. Throws never.
    /// </summary>
    Task EndAsync();
}
