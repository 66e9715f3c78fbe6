using PubSubOverWs.Queues;
using PubSubOverWs.Relay;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// The way of messages out of one queue: <see cref="QueuePoller"/> or <see cref="ParkedPoller"/> receives, <see cref="Dispatcher"/> offers
/// to the subscribers, <see cref="Settler"/> deletes; <see cref="Renewal"/> keeps messages hidden as long as they are here.
/// </summary>
internal sealed class QueueFlow : IDisposable
{
    private readonly Settler _settler;
    private readonly Dispatcher _dispatcher;
    private readonly Func<CancellationToken, Task> _poll;
    private readonly Renewal _renewal;
    private readonly CancellationTokenSource _stopped = new();

    /// <param name="urls">The queue, which is read all the time, or in rounds when it is the parked one.</param>
    /// <param name="elsewhere">Where a message belongs that was received here, null: here. Itself null where one server is alone.</param>
    public QueueFlow(
        QueueContext server, QueueUrls urls, Func<Delivery, DeliverOutcome> deliver,
        Func<InboundMessage, EnvelopeSender?>? elsewhere = null)
    {
        var flow = FlowContext.Create(server, urls, _stopped.Token);
        Leases = flow.Leases;
        _settler = new Settler(flow);
        _dispatcher = new Dispatcher(flow, _settler, deliver, elsewhere);
        _poll = urls.IsParked ? new ParkedPoller(flow, _dispatcher).RunAsync : new QueuePoller(flow, _dispatcher).RunAsync;
        _renewal = new Renewal(flow, _dispatcher);
    }

    /// <summary>Messages that were received and are neither deleted nor released.</summary>
    public Leases Leases { get; }

    /// <returns>Whether messages are held for the destination, which are offered now.</returns>
    public bool RoomAt(string destination) => _dispatcher.RoomAt(destination);

    /// <summary>All held messages are offered again: they may find a subscriber now, or turn out to have none.</summary>
    public void RoomEverywhere() => _dispatcher.RoomEverywhere();

    /// <summary>Runs until it is stopped, and leaves nothing here that the queue does not know of.</summary>
    /// <param name="stopping">Stops receiving; the polls under way end by themselves, and messages that they still bring go back, as do
    /// held ones.</param>
    /// <param name="publishingEnded">
    /// Completes when no client can publish or acknowledge: then unsettled messages go back to the queue, and settled ones are deleted.
    /// </param>
    public async Task RunAsync(Task publishingEnded, CancellationToken stopping)
    {
        await using var offering = stopping.Register(_dispatcher.StopOffering);
        Task[] working = [_dispatcher.RunAsync(), _renewal.RunAsync(_stopped.Token)];
        try
        {
            // One that ends before the polling has failed: the server cannot go on without it.
            await await Task.WhenAny([PollAsync(publishingEnded, stopping), .. working]);
        }
        catch (Exception)
        {
            // The host stops for it, and the polling with the host.
            await _stopped.CancelAsync();
            _dispatcher.ReleaseAll();
            await Task.WhenAll(working).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            throw;
        }
        // From here on a call to the queue that fails is not repeated.
        await _stopped.CancelAsync();
        await _settler.IdleAsync();
        // After that, or a message that is being dead-lettered would be released too.
        _dispatcher.ReleaseAll();
        await _settler.IdleAsync();
        await Task.WhenAll(working);
    }

    public void Dispose()
    {
        _dispatcher.Dispose();
        _stopped.Dispose();
    }

    private async Task PollAsync(Task publishingEnded, CancellationToken stopping)
    {
        await _poll(stopping);
        await publishingEnded;
    }
}
