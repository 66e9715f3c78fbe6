using PubSubOverWs.PubSubServer;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.PubSubServer;

public sealed class AnnouncerTests : IAsyncLifetime
{
    private static readonly NodeOptions Options = new() { AnnounceEvery = TimeSpan.FromSeconds(2), DeadAfter = TimeSpan.FromSeconds(10) };
    private readonly FakeTime _time = new();
    private readonly Subscriptions _subscriptions = Sample.NoSubscribers(new FakeTime());
    private readonly CancellationTokenSource _stopping = new();
    private readonly List<Announcement> _said = [];
    private readonly Announcer _announcer;
    private readonly List<bool> _othersToo = [];
    private bool _allHaveIt = true;
    private TimeSpan _took;
    private Task _running = Task.CompletedTask;

    public AnnouncerTests() =>
        _announcer = new Announcer(
            FakeSns.Node(_time, FakeSns.Queues("a"), new FakeSqs(_time), options: Options, subscriptions: _subscriptions), TellAsync);

    public Task InitializeAsync() => Task.CompletedTask;

    public async Task DisposeAsync()
    {
        await StopAsync();
        _stopping.Dispose();
    }

    [Fact]
    public async Task A_node_announces_everything_at_first_and_at_intervals()
    {
        Subscribe("/queue/x");
        Start();
        Subscribe("/queue/y");
        _time.Advance(Options.AnnounceEvery);
        await SaidAsync(2);
        Assert.Equal([["/queue/x"], ["/queue/x", "/queue/y"]], _said.Select(said => said.Has.Order().ToArray()));
        Assert.All(_said,
            said =>
                Assert.Equal(("a", "http://queue/q-node-a", 0, 1, false), (said.Node, said.QueueUrl, said.Part, said.Parts, said.Leaves)));
        Assert.True(_said[0].Number < _said[1].Number);
    }

    [Fact]
    public async Task A_first_subscriber_is_announced_at_once_and_a_second_is_not()
    {
        Start();
        _announcer.Gained("/queue/x");
        _announcer.Gained("/queue/x");
        await SaidAsync(2);
        Assert.Equal((0, "/queue/x"), (_said[1].Parts, Assert.Single(_said[1].Has)));
        _announcer.Lost("/queue/x");
        await SaidAsync(3);
        Assert.Equal("/queue/x", Assert.Single(_said[2].HasNoMore));
    }

    [Fact]
    public async Task A_destination_that_was_never_announced_is_not_withdrawn()
    {
        Start();
        _announcer.Lost("/queue/x");
        await StopAsync();
        Assert.NotEmpty(_said);
        Assert.All(_said, said => Assert.Empty(said.HasNoMore));
    }

    [Fact]
    public async Task Topics_and_raw_connections_are_not_announced()
    {
        Subscribe("/topic/x");
        Subscribe("/raw/a.1");
        Start();
        _announcer.Gained("/topic/x");
        _announcer.Gained("/raw/a.1");
        await StopAsync();
        Assert.All(_said, said => Assert.Empty(said.Has));
        Assert.Equal(2, _said.Count);
    }

    [Fact]
    public async Task An_announcement_is_cut_into_parts_that_the_topic_takes()
    {
        var names = Enumerable.Range(0, 5_000).Select(i => $"/queue/{i:D20}").ToArray();
        foreach (var name in names)
            Subscribe(name);
        Start();
        await SaidAsync(4);
        Assert.Equal(names, _said.SelectMany(said => said.Has).Order());
        Assert.Equal([0, 1, 2, 3], _said.Select(said => said.Part));
        Assert.All(_said, said => Assert.Equal((4, _said[0].Number), (said.Parts, said.Number)));
        Assert.All(_said, said => Assert.InRange(said.Write().Length, 1, 256 * 1024));
    }

    [Fact]
    public async Task A_stopping_node_announces_that_it_leaves()
    {
        Start();
        await StopAsync();
        Assert.True(_said[^1].Leaves);
        Assert.Empty(_said[^1].Has);
    }

    [Fact]
    public void A_node_announces_nothing_to_others_while_its_own_announcements_do_not_come_back()
    {
        Start();
        _announcer.HeardOwn(_time.GetTimestamp());
        _time.Advance(TimeSpan.FromSeconds(9));
        Assert.DoesNotContain(false, _othersToo);
        _time.Advance(TimeSpan.FromSeconds(6));
        Assert.Equal([false, false, false], _othersToo[^3..]);
        Assert.Equal(5, _othersToo.Count(othersToo => othersToo));
        _announcer.HeardOwn(_time.GetTimestamp());
        _time.Advance(TimeSpan.FromSeconds(2));
        Assert.True(_othersToo[^1]);
    }

    [Fact]
    public void A_node_counts_as_silent_since_it_sent_the_last_announcement_that_reached_all_others()
    {
        Start();
        _announcer.HeardOwn(_time.GetTimestamp());
        Assert.Equal(TimeSpan.Zero, _announcer.SilentFor);
        _time.Advance(TimeSpan.FromSeconds(3));
        Assert.Equal(TimeSpan.FromSeconds(1), _announcer.SilentFor);
        _allHaveIt = false;
        _time.Advance(TimeSpan.FromSeconds(6));
        Assert.Equal(TimeSpan.FromSeconds(7), _announcer.SilentFor);
        _announcer.HeardOwn(_time.GetTimestamp());
        _allHaveIt = true;
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(TimeSpan.Zero, _announcer.SilentFor);
    }

    [Fact]
    public async Task Each_part_of_a_long_announcement_is_a_sign_of_life()
    {
        // A client may have a thousand subscriptions with long names: all of them may take longer to say than a node may be silent.
        foreach (var i in Enumerable.Range(0, 5_000))
            Subscribe($"/queue/{i:D20}");
        _took = TimeSpan.FromSeconds(50);

        await _announcer.TellAllAsync();

        Assert.Equal(4, _said.Count);
        Assert.Equal(_took, _announcer.SilentFor);
    }

    [Fact]
    public void The_hearing_time_starts_with_the_first_announcement_that_came_back_and_again_after_a_gap()
    {
        Assert.Equal(TimeSpan.Zero, _announcer.HearsFor);
        _announcer.HeardOwn(_time.GetTimestamp());
        _time.Advance(TimeSpan.FromSeconds(9));
        _announcer.HeardOwn(_time.GetTimestamp());
        _time.Advance(TimeSpan.FromSeconds(9));
        Assert.InRange(_announcer.HearsFor, TimeSpan.FromSeconds(18), TimeSpan.FromSeconds(18.1));
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(TimeSpan.Zero, _announcer.HearsFor);
        _announcer.HeardOwn(_time.GetTimestamp());
        Assert.InRange(_announcer.HearsFor, TimeSpan.FromTicks(1), TimeSpan.FromSeconds(0.1));
    }

    [Fact]
    public void An_announcement_from_before_a_node_stood_still_does_not_show_that_it_is_heard_now()
    {
        Start();
        var before = _said[^1].Number;
        _announcer.HeardOwn(before);
        Assert.True(_announcer.IsHeard);
        // Timers of the time between fire once it runs again.
        _time.Leap(Options.DeadAfter);
        _announcer.HeardOwn(before);
        Assert.False(_announcer.IsHeard);
        Assert.Equal(TimeSpan.Zero, _announcer.HearsFor);

        _announcer.HeardOwn(_said[^1].Number);
        Assert.False(_announcer.IsHeard);
        _time.Advance(Options.AnnounceEvery);
        // The others were told, too.
        Assert.True(_announcer.IsHeard);
    }

    private void Start() => _running = FakeTime.Start(async () =>
    {
        await _announcer.RunAsync(_stopping.Token);
        return true;
    });

    private void Subscribe(string destination) => _subscriptions.Add(new RawSubscription(null!, destination));

    private async Task SaidAsync(int count)
    {
        // Changes are told on another thread; no time has to pass for it.
        await Waiting.UntilAsync(() => Count() >= count);
        Assert.Equal(count, Count());

        int Count()
        {
            lock (_said)
                return _said.Count;
        }
    }

    private async Task StopAsync()
    {
        await _stopping.CancelAsync();
        await _running;
    }

    private Task<bool> TellAsync(byte[] announcement, bool othersToo)
    {
        lock (_said)
        {
            _said.Add(Announcement.TryRead(announcement)!);
            _othersToo.Add(othersToo);
        }
        _time.Advance(_took);
        return Task.FromResult(_allHaveIt);
    }
}
