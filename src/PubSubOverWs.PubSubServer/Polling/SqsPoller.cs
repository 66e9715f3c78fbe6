using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// Several loops that each ask the queue for messages and hand them on, independent of each other. A receive is never cut off, for the
/// queue would hide what it had just handed out: to stop is to ask no more.
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
        // The first to end has failed, or all are to end.
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

/// <summary>Asks a queue for messages, and hands them on.</summary>
internal interface IPolling
{
    /// <summary>Ends after <paramref name="stopping"/> fired, when the last receive has come back.</summary>
    Task RunAsync(CancellationToken stopping);
}
