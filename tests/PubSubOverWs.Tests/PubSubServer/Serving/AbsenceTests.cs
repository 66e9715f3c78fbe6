using PubSubOverWs.PubSubServer;
using PubSubOverWs.Queues;
using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.PubSubServer;

/// <summary>A server on one queue, whose consumers stay away for as long as the queue keeps messages.</summary>
public sealed class AbsenceTests : IAsyncLifetime
{
    private const int Held = 10;

    // What the server keeps of one destination.
    private const int HeldOfOne = Held / 2;
    private const int Published = 60;

    private static readonly TimeSpan Step = TimeSpan.FromMinutes(1);

    // In which a server that knows of a message has long delivered it.
    private static readonly TimeSpan Longest = TimeSpan.FromHours(1);

    private readonly FakeTime _time = new();
    private readonly FakeSqs _sqs;
    private readonly FakeSubscribers _subscribers = new();
    private int _published;
    private int _settled;
    private Server _server = null!;

    public AbsenceTests() => _sqs = new FakeSqs(_time);

    public async Task InitializeAsync()
    {
        // It is found there, and used as it is: an hour in these tests is what 12 h are with the 1,000 receives that the server itself
        // sets.
        await _sqs.CreateQueueAsync(
            "q", new QueueSettings { RedrivePolicy = new RedrivePolicy($"arn:{FakeSqs.UrlOf("q-dead")}", 30) }, CancellationToken.None);
        _server = await Server.StartAsync(_sqs, _subscribers.Deliver, _time);
    }

    public async Task DisposeAsync() => await _server.StopAsync(_sqs);

    [Fact]
    public async Task A_backlog_whose_consumer_is_away_is_neither_dead_lettered_nor_in_flight_nor_received_again()
    {
        await PublishAsync("/queue/a", Published);
        await SettleDownAsync();
        // What is on its way to the parked queue is still in flight here.
        await Waiting.UntilAsync(() => _sqs.InFlight("q") <= HeldOfOne);
        // A round that was under way when the last was published.
        _time.Advance(Step);
        await SettleDownAsync();
        await Waiting.UntilAsync(() => _sqs.InFlight("q") <= HeldOfOne);
        var (received, sent) = (_server.Queues.Stats.Received, _server.Queues.Stats.Sent);

        await LetPassAsync(TimeSpan.FromHours(1.5), Step);
        Assert.Empty(_sqs.Bodies("q-dead"));
        Assert.InRange(_sqs.InFlight("q"), 0, HeldOfOne);
        // Without a hot loop: what is held is renewed, and that is all.
        Assert.Equal((received, sent), (_server.Queues.Stats.Received, _server.Queues.Stats.Sent));

        Subscribe("/queue/a");
        await TakenAsync(Published);
        await EmptyAsync();
    }

    [Fact]
    public async Task A_destination_whose_consumer_is_away_stops_no_other_of_the_same_queue()
    {
        await PublishAsync("/queue/away", Published);
        await SettleDownAsync();
        Subscribe("/queue/here", room: 1);
        await PublishAsync("/queue/here", Published);
        for (var taken = 1; taken <= Published; taken++)
        {
            // What finds no room here either comes with a round, and between these there is a pause.
            await TakenAsync(taken, TimeSpan.FromSeconds(1));
            Subscribe("/queue/here", room: 1);
        }
        // Nothing of the other is lost meanwhile, wherever it is on its way.
        Assert.Equal(
            Published,
            _sqs.Bodies("q").Concat(_sqs.Bodies("q-parked")).SelectMany(Read).Where(message => message.Destination == "/queue/away")
                .Distinct().Count());
    }

    [Fact]
    public async Task A_restarted_server_finds_messages_that_a_killed_one_parked_or_had_in_flight()
    {
        await PublishAsync("/queue/a", Published);
        await SettleDownAsync();
        // As a killed server leaves it: received, and hidden for the rest of the visibility time-out.
        Assert.Equal(5, (await _sqs.GetAsync("q-parked", TimeSpan.FromMinutes(5), most: 5)).Count);
        await RestartAsync();

        Subscribe("/queue/a");
        await TakenAsync(Published - 5);
        // The subscriber has room all the time, and says so no more.
        await TakenAsync(Published, TimeSpan.FromSeconds(1));
        await EmptyAsync();
    }

    [Fact]
    public async Task A_server_remembers_parked_messages_that_it_met_for_consumers_that_come_later()
    {
        await PublishAsync("/queue/later", Published);
        await SettleDownAsync();
        await RestartAsync();
        Subscribe("/queue/here");
        // Its first look through the parked queue, and the second when nothing can be hidden any more.
        await LetPassAsync(TimeSpan.FromMinutes(6), TimeSpan.FromSeconds(10));

        Subscribe("/queue/later");
        await TakenAsync(Published, TimeSpan.FromSeconds(1));
        await EmptyAsync();
    }

    [Fact]
    public async Task A_server_remembers_parked_messages_for_a_consumer_that_takes_a_few_at_a_time()
    {
        await PublishAsync("/queue/slow", Published);
        await SettleDownAsync();
        await RestartAsync();

        for (var taken = 1; taken <= Published; taken++)
        {
            Subscribe("/queue/slow", room: 1);
            await TakenAsync(taken, TimeSpan.FromSeconds(1));
        }
        await EmptyAsync();
    }

    [Fact]
    public async Task A_consumer_without_parked_messages_causes_no_round_through_the_parked_messages_of_others()
    {
        await PublishAsync("/queue/away", Published);
        await SettleDownAsync();
        Subscribe("/queue/here");
        // The first scan of this server, before time passes: one that begins late is the only one.
        await Waiting.UntilAsync(() => ScansAreOver(1));
        // The second, when nothing can be hidden any more. One that has received everything still parks the last again.
        await LetPassAsync(TimeSpan.FromMinutes(6), TimeSpan.FromSeconds(10));
        await Waiting.UntilAsync(() => ScansAreOver(2));
        var (rounds, parked) = (_server.Queues.Stats.ParkedRounds, _server.Queues.Stats.Parked);
        for (var i = 0; i < 20; i++)
        {
            await PublishAsync("/queue/here", 1);
            _time.Advance(TimeSpan.FromSeconds(10));
            _server.Queues.RoomAt("/queue/here");
            await SettleDownAsync();
        }
        await TakenAsync(20);
        Assert.Equal((rounds, parked), (_server.Queues.Stats.ParkedRounds, _server.Queues.Stats.Parked));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(5)]
    [InlineData(6)]
    public async Task Consumers_that_have_room_in_the_end_get_everything_however_often_the_server_restarts(int seed)
    {
        const int MaxRestarts = 4;
        var (random, restarts) = (new Random(seed), 0);
        string[] destinations = ["/queue/a", "/queue/b", "/queue/c", "/queue/d"];
        for (var step = 0; step < 300; step++)
        {
            var destination = destinations[random.Next(destinations.Length)];
            switch (random.Next(30))
            {
                // Each may cost what is held three of the thirty receives that the queue allows here.
                case 29 when restarts++ < MaxRestarts:
                    await RestartAsync();
                    Array.ForEach(destinations, _server.Queues.RoomAt);
                    break;
                case < 6:
                    await PublishAsync(destination, random.Next(1, 20));
                    break;
                case < 12:
                    Subscribe(destination, random.Next(1, 10));
                    break;
                case < 18:
                    _subscribers.Leave(destination);
                    break;
                case < 24:
                    SettleSome(random.Next(20));
                    break;
                default:
                    _time.Advance(TimeSpan.FromSeconds(random.Next(1, 8)));
                    _sqs.EndPolls();
                    break;
            }
        }
        foreach (var destination in destinations)
            Subscribe(destination);
        await TakenAsync(_published, TimeSpan.FromSeconds(1));
        await EmptyAsync();
    }

    private bool ScansAreOver(int count) =>
        _sqs.EndPolls() && _server.Queues.Stats.ParkedRounds == count && _server.Queues.Leases[1].Count == 0;

    private async Task RestartAsync()
    {
        await _server.StopAsync(_sqs);
        _server = await Server.StartAsync(_sqs, _subscribers.Deliver, _time);
    }

    private async Task LetPassAsync(TimeSpan span, TimeSpan step)
    {
        for (var passed = TimeSpan.Zero; passed < span; passed += step)
        {
            _time.Advance(step);
            await SettleDownAsync();
        }
    }

    private Task TakenAsync(int count, TimeSpan step = default) =>
        PassAsync(step, () => _subscribers.TookIds.Distinct().Count() >= count);

    // Nothing is left anywhere: all that was taken is settled, and all that came twice.
    private Task EmptyAsync() => PassAsync(TimeSpan.FromSeconds(1), () => _sqs.Bodies("q").Count + _sqs.Bodies("q-parked").Count == 0);

    // Time passes when the server has nothing to do, or it would come too late for everything.
    private async Task PassAsync(TimeSpan step, Func<bool> until)
    {
        var (passed, quiet, calls) = (TimeSpan.Zero, 0, Calls());
        bool IsSo()
        {
            SettleSome(int.MaxValue);
            _sqs.EndPolls();
            return until();
        }
        await Waiting.UntilAsync(IsSo, "all that was sent has been taken and settled", between: () =>
        {
            (quiet, calls) = Calls() == calls ? (quiet + 1, calls) : (0, Calls());
            if (quiet < 200)
                return;
            quiet = 0;
            _time.Advance(step);
            Assert.True((passed += step) < Longest, $"It is not so after {Longest}.");
        });
    }

    private long Calls() => new[] { QueueCall.Send, QueueCall.Settle, QueueCall.Hold }.Sum(_sqs.Traffic.Calls);

    private void SettleSome(int count)
    {
        Delivery[] some = [.. _subscribers.Took.Skip(_settled).Take(count)];
        _settled += some.Length;
        Array.ForEach(some, delivery => delivery.OnSettled());
    }

    // Nothing can be received, both loops of the queue ask for more, no round is under way, and what is due has been renewed: of a
    // visibility time-out of 5 min 2 min are never left, and no renewal is under way, which would make the next one be left out, or time
    // would run ahead of the server. Polls are ended for what they wait for in vain, and not at each look, which would find both loops
    // between two polls.
    private Task SettleDownAsync() => Waiting.UntilAsync(() =>
    {
        if (_sqs.Visible("q") > 0 || _sqs.PollsUnderWay("q-parked") > 0)
            _sqs.EndPolls();
        return _sqs.Visible("q") == 0 && _sqs.PollsUnderWay("q") == 2 && _sqs.PollsUnderWay("q-parked") == 0
            && _sqs.Lapsing("q", TimeSpan.FromMinutes(2)) == 0
            && !_server.Queues.Leases.SelectMany(leases => leases.All()).Any(lease => lease.IsBeingRenewed);
    });

    private void Subscribe(string destination, int room = int.MaxValue)
    {
        _subscribers.Subscribe(destination, room);
        _server.Queues.RoomAt(destination);
    }

    private async Task PublishAsync(string destination, int count)
    {
        for (var i = 0; i < count; i++)
            await _server.Queues.Publisher.PublishAsync([Sample.Message($"m{++_published}", destination)]);
    }

    private static IEnumerable<(string Id, string Destination)> Read(ReadOnlyMemory<byte> body)
    {
        Assert.True(EnvelopeJson.TryRead(body, out var envelope, out _));
        return envelope.Messages.Select(message => (message.Id, message.Destination));
    }

    private sealed class Server
    {
        private readonly CancellationTokenSource _stopping = new();
        private readonly CancellationTokenSource _connectionsClosed = new();
        private readonly Task _running;

        private Server(QueueServer queues)
        {
            Queues = queues;
            _running = queues.RunAsync(_stopping.Token, _connectionsClosed.Token);
        }

        public QueueServer Queues { get; }

        public static async Task<Server> StartAsync(FakeSqs sqs, Func<Delivery, DeliverOutcome> deliver, FakeTime time)
        {
            // A minute at a time passes in these tests: less than a third of the visibility time-out.
            var options = new QueueBrokerOptions
            {
                Name = "q",
                PollLoops = 2,
                HeldMessages = Held,
                VisibilityTimeout = TimeSpan.FromMinutes(5),
                Settle = { Linger = TimeSpan.Zero },
            };
            return new Server(await Sample.OpenAsync(sqs, options, deliver, time));
        }

        public async Task StopAsync(FakeSqs sqs)
        {
            await _stopping.CancelAsync();
            await _connectionsClosed.CancelAsync();
            await Waiting.UntilAsync(() => sqs.EndPolls() && _running.IsCompleted);
            await _running;
            Queues.Dispose();
            _stopping.Dispose();
            _connectionsClosed.Dispose();
        }
    }
}
