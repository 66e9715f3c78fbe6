using PubSubOverWs.LoadTest.Load.Clients;
using PubSubOverWs.LoadTest.Nodes;

namespace PubSubOverWs.LoadTest.Kills;

/// <summary>
/// Publishes its share of the messages, each when it is due or as soon after as there is room. When its connection ends it comes back, and what had no receipt goes
/// again with the same id.
/// </summary>
/// <param name="target">The server.</param>
/// <param name="plan">What is to be published, and when.</param>
/// <param name="first">The first of its share; every so many-th belongs to it as there are publishers.</param>
/// <param name="taken">By number: set when the server says that it took the message.</param>
/// <param name="again">By number: set before the message is published again.</param>
/// <param name="comeback">How it comes back.</param>
/// <param name="time">The clock.</param>
internal sealed class KillsPublisher(ClientTarget target, KillsPlan plan, int first, bool[] taken, bool[] again, Comeback comeback, TimeProvider time)
{
    private readonly Queue<int> _again = new();
    private int _next = first;

    /// <summary>How often a message went again: the server may have taken it before.</summary>
    public int PublishedAgain { get; private set; }

    /// <summary>Completes when the server has taken the whole share.</summary>
    public async Task RunAsync(long started, CancellationToken stopping)
    {
        while (_again.Count > 0 || _next < plan.Messages)
        {
            using var publisher = await comeback.ConnectAsync(() => NodePublisher.ConnectAsync(target, taken), stopping);
            if (await PublishAsync(publisher, started, stopping))
                await publisher.AnsweredAsync(stopping);
            // Whatever has been answered was heard by the time the connection ends.
            publisher.Abort();
            await publisher.Ended;
            foreach (var number in publisher.Unanswered)
            {
                again[number] = true;
                _again.Enqueue(number);
            }
            PublishedAgain += publisher.Unanswered.Count;
        }
    }

    /// <returns>False: the connection is gone.</returns>
    private async Task<bool> PublishAsync(NodePublisher publisher, long started, CancellationToken stopping)
    {
        for (; _again.TryPeek(out var number); _again.Dequeue())
        {
            if (!await publisher.SendAsync(plan.DestinationOf(number), number, stopping))
                return false;
        }
        for (; _next < plan.Messages; _next += plan.Publishers)
        {
            if (plan.DueAt(_next) - time.GetElapsedTime(started) is var early && early > TimeSpan.Zero)
                await Task.Delay(early, time, stopping);
            if (!await publisher.SendAsync(plan.DestinationOf(_next), _next, stopping))
                return false;
        }
        return true;
    }
}
