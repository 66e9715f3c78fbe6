using PubSubOverWs.Queues;
using PubSubOverWs.Relay;

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
                Urls, Context.Queue.Traffic, (unsettled.Sum(each => each.Messages), unsettled.Sum(each => each.Bytes)), Nodes) with
            { Failures = Context.Health.Failures };
        }
    }

    /// <summary>Servers that share the work, with this one.</summary>
    protected virtual int Nodes => 1;

    protected QueueContext Context { get; } = context;

    protected abstract EndOfPublishing EndOfPublishing { get; }

    protected abstract QueueFlow[] Flows { get; }

    /// <summary>The loops that run until the server stops: each is told when nothing more is published, and when to stop.</summary>
    protected virtual IReadOnlyList<Func<Task, CancellationToken, Task>> Parts =>
        [.. Flows.Select<QueueFlow, Func<Task, CancellationToken, Task>>(flow => flow.RunAsync)];

    public virtual void RoomAt(string destination) => Context.Parked.RoomAt(destination, isWanted: !OfferHeld(destination));

    /// <summary>Whether the queue answers, and takes the other calls too, for <c>/health/ready</c>.</summary>
    /// <returns>Null: it does. Otherwise a sentence about what fails at present.</returns>
    /// <exception cref="QueueException">It does not answer, or refused.</exception>
    public virtual async Task<string?> AskAsync(CancellationToken cancellationToken)
    {
        await Context.Queue.CountAsync(Urls.Url, cancellationToken);
        return Context.Health.Trouble;
    }

    /// <summary>Runs until the server stops, and leaves nothing here that the queue does not know of.</summary>
    /// <param name="stopping">Stops receiving; messages on their way here go back to the queue, and what subscribers have is still
    /// settled.</param>
    /// <param name="connectionsClosed">No client can publish or acknowledge.</param>
    public Task RunAsync(CancellationToken stopping, CancellationToken connectionsClosed) =>
        EndOfPublishing.RunAsync(Parts, stopping, connectionsClosed);

    public void Dispose()
    {
        foreach (var flow in Flows)
            flow.Dispose();
        EndOfPublishing.Dispose();
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

/// <summary>A server that is alone with its queue.</summary>
internal sealed class SingleServer : QueueServer
{
    private SingleServer(QueueContext context, QueueUrls urls, Func<Delivery, DeliverOutcome> deliver)
        : base(context, urls)
    {
        var sender = new EnvelopeSender(EnvelopeTarget.Queue(context.Queue, urls.Name, urls.Url), context.Options.Sending, context.Time);
        EndOfPublishing = new EndOfPublishing(sender);
        Publisher = new Publisher(
            sender, context.Options.PublishTimeout, context.Meter, new PatientCalls(context.Time, EndOfPublishing.Token), context.Awake);
        Flows = [new QueueFlow(context, urls, deliver), new QueueFlow(context, urls.Parked, deliver)];
    }

    public override Publisher Publisher { get; }

    protected override EndOfPublishing EndOfPublishing { get; }

    protected override QueueFlow[] Flows { get; }

    /// <summary>Finds the queue or creates it.</summary>
    /// <exception cref="QueueException">It cannot be reached, or refused.</exception>
    public static async Task<QueueServer> OpenAsync(
        QueueContext context, Func<Delivery, DeliverOutcome> deliver, CancellationToken cancellationToken) =>
        new SingleServer(context, await context.Queue.OpenAsync(context.Options.Name, cancellationToken), deliver);
}

/// <summary>The moment of a server's shutdown after which nothing is published: every publish is in the queue, or has failed.</summary>
/// <param name="publishing">Completes its disposal when everything that it had taken has its outcome.</param>
internal sealed class EndOfPublishing(IAsyncDisposable publishing) : IDisposable
{
    private readonly CancellationTokenSource _reached = new();

    /// <summary>Fires at that moment.</summary>
    public CancellationToken Token => _reached.Token;

    /// <param name="connectionsClosed">No client can publish.</param>
    public async Task AfterAsync(CancellationToken connectionsClosed)
    {
        var closed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using (connectionsClosed.Register(closed.SetResult))
            await closed.Task;
        await publishing.DisposeAsync();
        await _reached.CancelAsync();
    }

    /// <summary>Runs the parts of a server until it stops. When one fails, the others end too, and its exception is thrown.</summary>
    /// <param name="parts">Each is told when nothing more is published, and when to stop.</param>
    /// <param name="stopping">The server stops.</param>
    /// <param name="connectionsClosed">No client can publish.</param>
    public async Task RunAsync(
        IReadOnlyList<Func<Task, CancellationToken, Task>> parts, CancellationToken stopping, CancellationToken connectionsClosed)
    {
        using var ending = CancellationTokenSource.CreateLinkedTokenSource(stopping);
        using var closed = CancellationTokenSource.CreateLinkedTokenSource(connectionsClosed);
        var publishingEnded = AfterAsync(closed.Token);
        Task[] running = [.. parts.Select(part => part(publishingEnded, ending.Token))];
        // The first to end has failed, or all end.
        var first = await Task.WhenAny(running);
        await ending.CancelAsync();
        // After a failure the clients are not waited for: the host stops when this ends.
        if (!first.IsCompletedSuccessfully)
            await closed.CancelAsync();
        await Task.WhenAll([.. running, publishingEnded]);
    }

    public void Dispose() => _reached.Dispose();
}
