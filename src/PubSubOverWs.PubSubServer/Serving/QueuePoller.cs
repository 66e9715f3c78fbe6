using PubSubOverWs.Queues;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// Several independent loops that receive messages and pass them to the dispatcher. A receive is never cut off, because the queue would
/// hide the messages that it had just handed out: stopping means to make no further receive.
/// </summary>
internal sealed class QueuePoller(FlowContext flow, Dispatcher dispatcher)
{
    private static readonly TimeSpan LongestWaitWithScarceMemory = TimeSpan.FromSeconds(1);
    private readonly IQueue _queue = flow.Server.Queue;

    private readonly ReceiveRequest _request = new()
    {
        MaxMessages = QueueLimits.MaxBatchEntries,
        WaitTime = flow.Server.Options.WaitTime,
        Visibility = flow.Server.Options.VisibilityTimeout,
    };

    /// <summary>
    /// Ends after <paramref name="stopping"/> fired, when the last receive has come back: up to <see cref="QueueBrokerOptions.WaitTime"/>
    /// later.
    /// </summary>
    public async Task RunAsync(CancellationToken stopping)
    {
        var calls = new PatientCalls(flow.Server.Time, stopping);
        Task[] loops = [.. Enumerable.Range(0, flow.Server.Options.PollLoops).Select(_ => PollAsync(calls, stopping))];
        // The first to end has failed, and the host stops, or all end.
        await await Task.WhenAny(loops);
        await Task.WhenAll(loops);
    }

    private async Task PollAsync(PatientCalls calls, CancellationToken stopping)
    {
        while (!stopping.IsCancellationRequested)
        {
            try
            {
                using var room = await flow.Leases.RoomAsync(stopping);
                var received = await _queue.ReceiveAsync(flow.Urls.Url, RequestWith(room), stopping);
                if (received.Count > 0)
                    dispatcher.Accept(received);
            }
            catch (OperationCanceledException) when (stopping.IsCancellationRequested)
            {
                return;
            }
            catch (QueueException)
            {
                await calls.PauseAsync();
            }
        }
    }

    private ReceiveRequest RequestWith(InFlightBudget.Reservation room) =>
        room.IsScarce && _request.WaitTime > LongestWaitWithScarceMemory
            ? _request with { WaitTime = LongestWaitWithScarceMemory }
            : _request;
}
