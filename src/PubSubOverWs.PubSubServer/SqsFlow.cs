using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// The way of a message through the queue, once the queue is open: <see cref="Publisher"/> sends, <see cref="SqsPoller"/> receives,
/// <see cref="Dispatcher"/> offers to the subscribers, <see cref="Settler"/> deletes; <see cref="Renewal"/> keeps hidden what is still here.
/// </summary>
internal sealed class SqsFlow : IAsyncDisposable
{
    private readonly ISqs _sqs;
    private readonly SqsBatcher _sends;
    private readonly Leases _leases;
    private readonly Settler _settler;
    private readonly Dispatcher _dispatcher;
    private readonly SqsPoller _poller;
    private readonly Renewal _renewal;
    private readonly QueueMeter _meter = new();
    private readonly ILogger _log;
    private readonly CancellationTokenSource _noMorePolls = new();
    private readonly CancellationTokenSource _giveUp = new();
    private Task _polling = Task.CompletedTask;
    private Task _working = Task.CompletedTask;

    public SqsFlow(
        ISqs sqs, QueueUrls urls, SqsBrokerOptions options, Func<Delivery, DeliverOutcome> deliver, RelayMeter relayMeter, TimeProvider time,
        ILogger log)
    {
        _sqs = sqs;
        _log = log;
        Urls = urls;
        _sends = new SqsBatcher(sqs, urls.Url, new SqsBatcherOptions());
        Publisher = new Publisher(_sends, urls, options.PublishTimeout, _meter, time);
        _leases = new Leases(time, options.VisibilityTimeout, options.MaxInFlight);
        _settler = new Settler(sqs, urls, _leases, _meter, new PatientCalls(time, log, _giveUp.Token));
        _dispatcher = new Dispatcher(deliver, _leases, _settler, options, _meter, relayMeter, time, log);
        _poller = new SqsPoller(sqs, urls, options, _leases, _dispatcher, time, log);
        _renewal = new Renewal(sqs, urls, _leases, _dispatcher, _meter, options.VisibilityTimeout, time, log);
    }

    public QueueUrls Urls { get; }

    public Publisher Publisher { get; }

    public QueueStats Stats => _meter.Read(Urls, _sqs.Traffic, _leases);

    public void RoomAt(string destination) => _dispatcher.RoomAt(destination);

    public void Start()
    {
        _polling = _poller.RunAsync(_noMorePolls.Token);
        _working = Task.WhenAll(_dispatcher.RunAsync(), _settler.RunAsync(), _renewal.RunAsync(_giveUp.Token));
    }

    /// <summary>Asks the queue for no more; the polls under way lapse by themselves, and what they still bring is delivered or released.</summary>
    public void StopPolling() => _noMorePolls.Cancel();

    /// <summary>
    /// Waits for the polls to lapse and for what is being published, gives back to the queue all that is not settled, and deletes what is.
    /// </summary>
    /// <param name="hurry">Fires when there is no time left: what is not done then, the queue does when the visibility runs out.</param>
    public async Task StopAsync(CancellationToken hurry)
    {
        try
        {
            await StopAsync().WaitAsync(hurry);
        }
        catch (OperationCanceledException) when (hurry.IsCancellationRequested)
        {
            _log.StoppedInHurry(_leases.Count);
        }
    }

    public async ValueTask DisposeAsync()
    {
        await _sends.DisposeAsync();
        _dispatcher.Dispose();
        _noMorePolls.Dispose();
        _giveUp.Dispose();
    }

    private async Task StopAsync()
    {
        StopPolling();
        await _polling;
        await _sends.DisposeAsync();
        _dispatcher.ReleaseAll();
        _dispatcher.Dispose();
        _settler.Complete();
        // From here a call to the queue that fails is not repeated.
        await _giveUp.CancelAsync();
        await _working;
    }
}
