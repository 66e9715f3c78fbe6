using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// Several independent loops that receive messages and pass them to the dispatcher. A receive is never cut off, because the queue would
/// hide the messages that it had just handed out: stopping means to make no further receive.
/// </summary>
internal sealed class SqsPoller(
    ISqs sqs, QueueUrls urls, SqsBrokerOptions options, Leases leases, Dispatcher dispatcher, TimeProvider time) : IPolling
{
    private static readonly TimeSpan LongestWaitWithScarceMemory = TimeSpan.FromSeconds(1);

    private readonly ReceiveRequest _request = new()
    {
        MaxMessages = SqsLimits.MaxBatchEntries,
        WaitTime = options.WaitTime,
        Visibility = options.VisibilityTimeout,
    };

    /// <summary>
    /// Ends after <paramref name="stopping"/> fired, when the last receive has come back: up to <see cref="SqsBrokerOptions.WaitTime"/>
    /// later.
    /// </summary>
    public async Task RunAsync(CancellationToken stopping)
    {
        Task[] loops = [.. Enumerable.Range(0, options.PollLoops).Select(_ => PollAsync(new PatientCalls(time, stopping), stopping))];
        // The first to end has failed, or all end.
        await await Task.WhenAny(loops);
        await Task.WhenAll(loops);
    }

    private async Task PollAsync(PatientCalls calls, CancellationToken stopping)
    {
        while (!stopping.IsCancellationRequested)
        {
            try
            {
                using var room = await leases.RoomAsync(stopping);
                var received = await sqs.ReceiveMessagesAsync(urls.Url, RequestWith(room), stopping);
                if (received.Count > 0)
                    dispatcher.Accept(received);
            }
            catch (OperationCanceledException) when (stopping.IsCancellationRequested)
            {
                return;
            }
            catch (SqsException)
            {
                await calls.PauseAsync();
            }
        }
    }

    private ReceiveRequest RequestWith(InFlightMemory.Reservation room) =>
        room.IsScarce && options.WaitTime > LongestWaitWithScarceMemory
            ? _request with { WaitTime = LongestWaitWithScarceMemory }
            : _request;
}

/// <summary>Receives messages from a queue, and passes them on.</summary>
internal interface IPolling
{
    /// <summary>Ends after <paramref name="stopping"/> fired, when the last receive has come back.</summary>
    Task RunAsync(CancellationToken stopping);
}
