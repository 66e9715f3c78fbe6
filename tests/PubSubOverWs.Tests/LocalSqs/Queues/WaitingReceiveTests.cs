using PubSubOverWs.LocalSqs;

namespace PubSubOverWs.Tests.LocalSqs.Queues;

public sealed class WaitingReceiveTests
{
    /// <summary>The sender holds the lock of all queues, and may be on a thread on which other connections wait.</summary>
    [Fact]
    public void What_follows_a_poll_does_not_run_on_the_thread_of_the_sender()
    {
        var poll = new WaitingReceive(max: 1, visibility: null, isGone: () => false);
        var follows = poll.Answer.ContinueWith(
            _ => Environment.CurrentManagedThreadId,
            CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
        var (sendersThread, followersThread) = (0, 0);
        var sender = new Thread(() =>
        {
            poll.End([]);
            // Until then this thread lives, and no other has its number.
            (sendersThread, followersThread) = (Environment.CurrentManagedThreadId, follows.GetAwaiter().GetResult());
        });

        sender.Start();
        sender.Join();

        Assert.NotEqual(sendersThread, followersThread);
    }
}
