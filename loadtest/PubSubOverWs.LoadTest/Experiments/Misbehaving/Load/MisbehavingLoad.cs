using System.Buffers.Text;
using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.Misbehaving.Load;

/// <summary>
/// Well-behaved clients, which read and acknowledge all that comes, and the others, which begin to misbehave half-way.
/// </summary>
internal sealed class MisbehavingLoad : ILoad
{
    private const double MiB = 1024 * 1024;

    // Each so many messages one goes to a client that misbehaves.
    private const int FeedEvery = 5;

    private readonly MisbehavingScenario _scenario;
    private readonly ServerGroup _servers;
    private readonly string _name;
    private readonly WellBehavedClient[] _clients;
    private readonly OtherClients _others;
    private readonly OwnMessage[] _messages;
    private readonly byte[] _body;

    // The place of the first copy of each message among all copies, and when each copy came.
    private readonly int[] _firstCopies;
    private readonly long[] _arrived;
    private readonly IReadOnlyList<string> _fed;
    private readonly TimeSpan?[] _cpu = new TimeSpan?[4];
    private int _missing;

    /// <param name="name">Distinguishes its messages from those of any other trial.</param>
    /// <param name="servers">One, where all clients connect.</param>
    /// <param name="others">Those that misbehave.</param>
    public MisbehavingLoad(MisbehavingScenario scenario, string name, ServerGroup servers, OtherClients others)
    {
        _scenario = scenario;
        _servers = servers;
        _name = name;
        _clients = [.. Enumerable.Range(0, scenario.WellBehaved).Select(i => new WellBehavedClient(i, this, servers.TargetOf(i)))];
        _others = others;
        _fed = others.Queues;
        Participants = [.. _clients, _others];
        _messages = [.. Enumerable.Range(0, scenario.Messages).Select(i => new OwnMessage(Invariant($"{name}-{i}")))];
        _body = [.. Enumerable.Repeat((byte)'x', scenario.PayloadBytes)];
        _firstCopies = new int[scenario.Messages];
        for (var i = 0; i < scenario.Messages; i++)
        {
            _firstCopies[i] = _missing;
            _missing += scenario.CopiesOf(i);
        }

        _arrived = new long[_missing];
    }

    public IReadOnlyList<IParticipant> Participants { get; }

    public Countdown Waiting { get; } = new(1);

    public LoadBounds Bounds => new(_scenario.Deadline, LoadBounds.DefaultConnectsUnderWay, LoadBounds.DefaultGrace)
    { SendsExactly = true };

    /// <summary>Half-way one more, which has the others begin.</summary>
    public long Sends => _scenario.Messages + 1;

    private int Half => _scenario.Messages / 2;

    public TimeSpan DueAt(long send) =>
        send == Half ? _scenario.BegunAt : _scenario.DueAt((int)send - (send > Half ? 1 : 0));

    public void Send(long send)
    {
        if (send == Half)
        {
            _others.Begin();
            return;
        }

        var message = (int)send - (send > Half ? 1 : 0);
        Mark(message);
        var sender = _clients[message % _clients.Length];
        // Directly before its own: that would wait too if a server held the publisher for those who misbehave.
        if (message >= Half && _fed.Count > 0 && message % FeedEvery == 0)
            sender.Feed(_fed[message / FeedEvery % _fed.Count], _body);
        var destination = MisbehavingScenario.TopicOf(message) is { } topic ? MisbehavingScenario.Topic(topic) : sender.Queue;
        sender.Publish(destination, _messages[message], _body);
    }

    public Observed Observe(long start, long firstDue)
    {
        FlowAccount[] accounts = [.. _scenario.Flows.Select(flow => new FlowAccount(flow, _scenario.Deadline))];
        List<double>[] latencies = [[], [], []];
        for (var message = 0; message < _messages.Length; message++)
            Add(message, accounts, latencies, start, firstDue);
        var without = P99(latencies[0]);
        var beside = _others.Failure is null ? P99(latencies[1]) : (double?)null;
        return new Observed(
            [], [.. accounts.Select(_ => default(Anomalies))], 0,
            Observed.Count([.. _clients.Select(client => client.Failure), _others.Failure], _name))
        {
            Counted = accounts,
            Measures = new Dictionary<string, double?>
            {
                [MisbehavingScenario.P99Without.Name] = without,
                [MisbehavingScenario.P99Beside.Name] = beside,
                [MisbehavingScenario.Ratio.Name] = beside / without,
                [MisbehavingScenario.CpuWithout.Name] = CpuShare(_cpu[1] - _cpu[0]),
                [MisbehavingScenario.CpuBeside.Name] = CpuShare(_cpu[3] - _cpu[2]),
                [MisbehavingScenario.Cut.Name] = _others.Cut,
                [MisbehavingScenario.Peak.Name] = PeakBytes() / MiB,
            },
        };
    }

    /// <summary>A copy of a message came to a client. The pubsub server may deliver one twice: the first counts.</summary>
    /// <param name="id">Of the message.</param>
    public void Arrived(ReadOnlySpan<byte> id, int client, long stamp)
    {
        if (!Utf8Parser.TryParse(id[(id.LastIndexOf((byte)'-') + 1)..], out int message, out _) || message >= _messages.Length
            || !_messages[message].HasId(id))
            return;
        var copy = _firstCopies[message]
            + (MisbehavingScenario.TopicOf(message) is null ? 0 : client / MisbehavingScenario.Topics);
        if (Interlocked.CompareExchange(ref _arrived[copy], stamp, 0) == 0 && Interlocked.Decrement(ref _missing) == 0)
            Waiting.Signal();
    }

    private void Add(int message, FlowAccount[] accounts, List<double>[] latencies, long start, long firstDue)
    {
        var own = _messages[message];
        var sender = _clients[message % _clients.Length];
        var flow = _scenario.FlowOf(message);
        var due = Stopwatch.GetElapsedTime(start, firstDue) + _scenario.DueAt(message);
        var copies = _scenario.CopiesOf(message);
        for (var i = 0; i < copies; i++)
        {
            var recipient = MisbehavingScenario.TopicOf(message) is { } topic
                ? (i * MisbehavingScenario.Topics) + topic
                : message % _clients.Length;
            var received = _arrived[_firstCopies[message] + i] is not 0 and var stamp
                ? Stopwatch.GetElapsedTime(start, stamp)
                : (TimeSpan?)null;
            accounts[flow].Add(new Observation(
                own.Id, message % _clients.Length, recipient, due,
                own.SentAt is { } sent ? Stopwatch.GetElapsedTime(start, sent) : null, null, false, received,
                sender.Failure?.Cause ?? _clients[recipient].Failure?.Cause ?? Cause.None));
            // A copy that is missing counts as having taken as long as it may.
            latencies[flow].Add((received - due ?? _scenario.Deadline).TotalMilliseconds);
        }
    }

    // By the nearest rank.
    private static double P99(List<double> latencies) => latencies.Order().ElementAt((int)Math.Ceiling(0.99 * latencies.Count) - 1);

    // From the first message of each measurement to its last.
    private void Mark(int message)
    {
        var (leg, place) = Math.DivRem(message, _scenario.MessagesOfLeg);
        if (leg % 2 == 0)
            return;
        if (place == 0)
            _cpu[leg - 1] = _servers.Cpu;
        if (place == _scenario.MessagesOfLeg - 1)
            _cpu[leg] = _servers.Cpu;
        if (leg == 3 && place == 0)
            _others.MustHaveBegun();
    }

    private double? CpuShare(TimeSpan? cpu) => 100 * cpu / _scenario.For;

    private double? PeakBytes()
    {
        if (_servers.Processes is not [var server])
            return null;
        using var process = Process.GetProcessById(server.ProcessId);
        return process.PeakWorkingSet64;
    }
}

/// <summary>A client that reads and acknowledges all that comes: it consumes a queue of its own and subscribes to a shared topic.</summary>
internal sealed class WellBehavedClient(int number, MisbehavingLoad load, ClientTarget target)
    : SingleConnection(target, LoadBounds.DefaultConnectTimeout)
{
    private ConnectFailure? _failure;

    public string Queue { get; } = Invariant($"/queue/well-behaved-{number}");

    public override ConnectFailure? Failure => _failure;

    public void Publish(string destination, OwnMessage message, byte[] body) =>
        Send(StompMessages.Send(destination, message.Id, body, receipt: null), message);

    /// <summary>Sends to a client that misbehaves.</summary>
    public void Feed(string destination, byte[] body)
    {
        if (IsIn)
            Connection.TrySend(StompMessages.Send(destination, "fed", body, receipt: null));
    }

    protected override async Task<ConnectFailure?> GreetAsync() => await Connection.LogInAsync()
        ?? await Connection.SubscribeAsync(StompMessages.Subscribe("q", Queue, "client-individual"), Take)
        ?? await Connection.SubscribeAsync(StompMessages.Subscribe("t", MisbehavingScenario.Topic(number)), Take);

    protected override void Take(StompFrame frame, long stamp)
    {
        if (frame.Command == StompCommand.Error)
            GiveUp(ConnectFailure.From(frame));
        if (frame.Command != StompCommand.Message)
            return;
        if (frame.TryGet(StompNames.Ack, out var ack))
            Connection.TrySend(StompMessages.Ack(ack));
        if (frame.TryGet(StompNames.Id, out var id))
            load.Arrived(id, number, stamp);
    }

    protected override void GiveUp(ConnectFailure failure) => _failure ??= failure;
}
