using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>The work of a server on its open queues: it publishes to them, and reads each through a flow.</summary>
internal abstract class QueueServer(QueueContext context, QueueUrls urls) : IDisposable
{
    public abstract Publisher Publisher { get; }

    /// <summary>The queue without which this server is not ready.</summary>
    public QueueUrls Urls { get; } = urls;

    /// <summary>Messages that were received and are neither deleted nor released.</summary>
    public virtual IReadOnlyList<Leases> Leases => [.. Flows.Select(flow => flow.Leases)];

    public QueueStats Stats
    {
        get
        {
            var unsettled = Leases.Select(leases => leases.Unsettled).ToArray();
            return Context.Meter.Read(
                Urls, Context.Sqs.Traffic, (unsettled.Sum(each => each.Messages), unsettled.Sum(each => each.Bytes)), Nodes) with
            { Failures = Context.Health.Failures };
        }
    }

    /// <summary>Servers that share the work, with this one.</summary>
    protected virtual int Nodes => 1;

    protected QueueContext Context { get; } = context;

    protected abstract Quiet Quiet { get; }

    protected abstract QueueFlow[] Flows { get; }

    /// <summary>The loops that run until the server stops: each is told when nothing more is published, and when to stop.</summary>
    protected virtual IReadOnlyList<Func<Task, CancellationToken, Task>> Parts =>
        [.. Flows.Select<QueueFlow, Func<Task, CancellationToken, Task>>(flow => flow.RunAsync)];

    public virtual void RoomAt(string destination) => Context.Memory.Parked.RoomAt(destination, isWanted: !OfferHeld(destination));

    /// <summary>Whether the queue answers, and takes the other calls too, for <c>/health/ready</c>.</summary>
    /// <returns>Null: it does. Otherwise a sentence about what fails at present.</returns>
    /// <exception cref="SqsException">It does not answer, or refused.</exception>
    public virtual async Task<string?> AskAsync(CancellationToken cancellationToken)
    {
        await Context.Sqs.GetQueueAttributesAsync(Urls.Url, cancellationToken);
        return Context.Health.Trouble;
    }

    /// <summary>Runs until the server stops, and leaves nothing here that the queue does not know of.</summary>
    /// <param name="stopping">Stops receiving; messages on their way here go back to the queue, and what subscribers have is still
    /// settled.</param>
    /// <param name="connectionsClosed">No client can publish or acknowledge.</param>
    public Task RunAsync(CancellationToken stopping, CancellationToken connectionsClosed) =>
        Quiet.RunAsync(Parts, stopping, connectionsClosed);

    public void Dispose()
    {
        foreach (var flow in Flows)
            flow.Dispose();
        Quiet.Dispose();
    }

    /// <returns>Whether messages are held for the destination, which are offered now.</returns>
    protected virtual bool OfferHeld(string destination)
    {
        var areHeld = false;
        foreach (var flow in Flows)
            areHeld |= flow.RoomAt(destination);
        return areHeld;
    }
}
