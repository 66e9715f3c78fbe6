using PubSubOverWs.LocalSqs;

namespace PubSubOverWs.Tests.LocalSqs;

/// <summary>Which poll gets what, and what a poll leaves behind.</summary>
public sealed class LongPollTests
{
    private readonly TestQueue _test = new();

    [Fact]
    public async Task One_message_wakes_one_poll_the_one_that_has_waited_longest()
    {
        var first = _test.Poll();
        var second = _test.Poll();

        _test.Send("a");

        Assert.Equal(["a"], TestQueue.Texts(await first));
        Assert.False(second.IsCompleted);
        _test.Send("b");
        Assert.Equal(["b"], TestQueue.Texts(await second));
    }

    [Fact]
    public async Task A_poll_takes_no_more_than_it_asked_for_and_leaves_the_rest_to_the_next()
    {
        var first = _test.Poll(max: 2);
        var second = _test.Poll(max: 2);

        _test.Send("a", "b", "c");

        Assert.Equal(["a", "b"], TestQueue.Texts(await first));
        Assert.Equal(["c"], TestQueue.Texts(await second));
    }

    [Fact]
    public async Task A_poll_whose_caller_has_just_gone_is_passed_over_before_it_is_cancelled()
    {
        var isGone = false;
        var cut = _test.Poll(isGone: () => isGone);
        var next = _test.Poll();

        isGone = true;
        _test.Send("a");

        Assert.Empty(await cut);
        Assert.Equal(1, Assert.Single(await next).ReceiveCount);
    }

    [Theory]
    [InlineData(7, 0)]
    [InlineData(3, 4)]
    public async Task A_poll_wakes_where_the_clock_moves_on_while_its_timer_is_set(int meanwhile, int later)
    {
        _test.Send("a");
        _test.Receive(visibility: TimeSpan.FromSeconds(7));
        _test.Time.BeforeNextTimer = () => _test.Time.Advance(TimeSpan.FromSeconds(meanwhile));
        var poll = _test.Poll();

        _test.Time.Advance(TimeSpan.FromSeconds(later));

        // What awaits a poll goes on on a thread of its own; one that overslept never does, for the clock stands still.
        Assert.Equal(2, Assert.Single(await poll.Patiently()).ReceiveCount);
    }

    [Fact]
    public async Task Messages_given_back_wake_a_poll_as_if_they_had_not_been_received()
    {
        _test.Send("a", "b");
        var lost = _test.Receive();
        var poll = _test.Poll();

        _test.Queue.GiveBack(lost);

        var again = await poll;
        Assert.Equal(["a", "b"], TestQueue.Texts(again));
        Assert.All(again, handout => Assert.Equal(1, handout.ReceiveCount));
    }

    [Fact]
    public void A_message_that_was_settled_in_the_meantime_is_not_given_back()
    {
        _test.Send("a");
        var handouts = _test.Receive();
        _test.Queue.Delete(_test.Handle(handouts[0]));

        _test.Queue.GiveBack(handouts);

        Assert.Equal(new QueueCounts(0, 0, 0), _test.Queue.Count());
    }

    [Fact]
    public async Task A_deleted_queue_lets_its_polls_go_and_refuses_more()
    {
        var poll = _test.Poll();

        _test.Store.Delete("jobs");

        Assert.Empty(await poll);
        Assert.Equal(SqsError.QueueDoesNotExist, (await Assert.ThrowsAsync<SqsErrorException>(() => _test.Poll())).Error);
        Assert.Throws<SqsErrorException>(() => _test.Send("a"));
    }

    [Fact]
    public async Task A_server_that_stops_lets_polls_go_and_later_ones_do_not_wait()
    {
        var poll = _test.Poll();

        _test.Store.StopWaiting();

        Assert.Empty(await poll);
        Assert.Empty(await _test.Poll());
        _test.Send("a");
        Assert.Single(await _test.Poll());
    }

    [Fact]
    public async Task Polls_leave_no_timer_behind()
    {
        var poll = _test.Poll();
        Assert.Equal(1, _test.Time.TimersSet);
        _test.Time.Advance(TimeSpan.FromSeconds(19.9));
        Assert.False(poll.IsCompleted);
        _test.Time.Advance(TimeSpan.FromSeconds(0.1));

        Assert.Empty(await poll);
        Assert.Equal(0, _test.Time.TimersSet);
    }

    [Fact]
    public async Task Over_the_limit_of_messages_in_flight_a_short_poll_is_refused_and_a_long_one_waits_until_something_is_deleted()
    {
        var batch = Enumerable.Repeat(new NewMessage(TestQueue.Body("x")), SqsLimit.BatchEntries).ToArray();
        for (var sent = 0; sent <= SqsLimit.InFlight; sent += SqsLimit.BatchEntries)
            _test.Send(batch);
        var first = _test.Receive();
        for (var inFlight = first.Count; inFlight < SqsLimit.InFlight;)
            inFlight += _test.Receive().Count;

        var refused = await Assert.ThrowsAsync<SqsErrorException>(
            () => _test.Queue.ReceiveAsync(1, TimeSpan.Zero, null, () => false, CancellationToken.None).AsTask());
        Assert.Equal(SqsError.OverLimit, refused.Error);

        var poll = _test.Poll();
        Assert.False(poll.IsCompleted);
        _test.Queue.Delete(_test.Handle(first[0]));
        Assert.Single(await poll);
    }

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
