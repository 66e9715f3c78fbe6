using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// The way of a message through the queue, once the queue is open: <see cref="Publisher"/> sends, <see cref="SqsPoller"/> receives,
/// <see cref="Dispatcher"/> offers to the subscribers, <see cref="Settler"/> deletes; <see cref="Renewal"/> keeps hidden what is still here.
/// </summary>
internal sealed class SqsFlow : IDisposable
{
    private readonly WatchedSqs _sqs;
    private readonly EnvelopeSender _sends;
    private readonly Leases _leases;
    private readonly Settler _settler;
    private readonly Dispatcher _dispatcher;
    private readonly SqsPoller _poller;
    private readonly Renewal _renewal;
    private readonly QueueMeter _meter = new();
    private readonly CancellationTokenSource _stopped = new();

    public SqsFlow(
        ISqs sqs, QueueUrls urls, SqsBrokerOptions options, Func<Delivery, DeliverOutcome> deliver, RelayMeter relayMeter, TimeProvider time,
        ILogger log)
    {
        Health = new QueueHealth(time, log);
        _sqs = new WatchedSqs(sqs, Health);
        Urls = urls;
        var calls = new PatientCalls(time, _stopped.Token);
        _sends = new EnvelopeSender(_sqs, urls.Url, options.Sending);
        Publisher = new Publisher(_sends, urls, options.PublishTimeout, _meter, calls, time);
        _leases = new Leases(time, options.VisibilityTimeout, options.MaxInFlight);
        _settler = new Settler(_sqs, urls, _leases, _meter, calls, options.Settle.Linger);
        _dispatcher = new Dispatcher(deliver, _leases, _settler, options, _meter, relayMeter, time, log);
        _poller = new SqsPoller(_sqs, urls, options, _leases, _dispatcher, time);
        _renewal = new Renewal(_sqs, urls, _leases, _dispatcher, _meter, options.VisibilityTimeout, time);
    }

    public QueueUrls Urls { get; }

    public Publisher Publisher { get; }

    /// <summary>Which calls to the queue fail at present.</summary>
    public QueueHealth Health { get; }

    public QueueStats Stats => _meter.Read(Urls, _sqs.Traffic, _leases);

    public void RoomAt(string destination) => _dispatcher.RoomAt(destination);

    /// <summary>Asks the queue for its attributes: does it answer?</summary>
    /// <exception cref="SqsException">It does not, or refused.</exception>
    public async Task AskAsync(CancellationToken cancellationToken) => await _sqs.GetQueueAttributesAsync(Urls.Url, cancellationToken);

    /// <summary>Runs until the server stops, and leaves nothing here that the queue does not know of.</summary>
    /// <param name="stopping">Asks the queue for no more; the polls under way lapse by themselves, and what they still bring is delivered.</param>
    /// <param name="connectionsClosed">
    /// Nobody publishes or acknowledges any more: the queue gets back all that is not settled, and deletes what is.
    /// </param>
    public async Task RunAsync(CancellationToken stopping, CancellationToken connectionsClosed)
    {
        Task[] working = [_dispatcher.RunAsync(), _renewal.RunAsync(_stopped.Token)];
        try
        {
            // One that ends before the polling has failed: the server cannot go on without it.
            await await Task.WhenAny([PollAsync(stopping, connectionsClosed), .. working]);
        }
        catch (Exception)
        {
            // The host stops for it, and the polling with the host.
            await _stopped.CancelAsync();
            _dispatcher.ReleaseAll();
            await Task.WhenAll(working).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            throw;
        }
        await _sends.DisposeAsync();
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

    private async Task PollAsync(CancellationToken stopping, CancellationToken connectionsClosed)
    {
        await _poller.RunAsync(stopping);
        var closed = new TaskCompletionSource();
        await using var registration = connectionsClosed.Register(closed.SetResult);
        await closed.Task;
    }
}
