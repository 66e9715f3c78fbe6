using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.Transports.Load;

/// <summary>All clients of a round, and the sensors that they share: clients of different arms receive the same measurements.</summary>
[SuppressMessage("Design", "CA1001", Justification = "The caller disposes of the participants.")]
public sealed class TransportsLoad : IRoundLoad
{
    private readonly TransportPlan _plan;
    private readonly SensorConnection _sensor;
    private readonly FeedClient[][] _clients;
    private readonly FeedClient[][] _byChannel;
    private readonly IdleClients? _idle;
    private (long Sent, long Received, int Requests)[][] _before = [];

    /// <param name="servers">One server, with a proxy for each level.</param>
    public TransportsLoad(TransportPlan plan, ServerGroup servers)
    {
        _plan = plan;
        Waiting = new Countdown(plan.Trials.Sum(trial => plan.Scenario.UsersAt(trial.Level)));
        _sensor = new SensorConnection(servers.TargetOf(0));
        var routes = plan.Trials.ToDictionary(trial => trial, trial => new FeedRoute(
            servers.SubscribingOf(plan.ProxyOf(trial.Level)).Address,
            trial.Arm.Name is TransportArms.WebSocketHttp2 or TransportArms.LongPollingHttp2, plan.Scenario.AfterCutAt(trial.Level)));
        long[][] sent = [.. Enumerable.Range(0, plan.Channels).Select(_ => new long[plan.Measurements])];
        _clients = [.. plan.Trials.Select(trial => Enumerable.Range(0, plan.Scenario.UsersAt(trial.Level))
            .Select(client => Client(trial, client, sent, routes)).ToArray())];
        var byChannel = plan.Trials.Zip(_clients).SelectMany(one => one.Second.Select((client, i) =>
            (Channel: plan.ChannelOf(one.First.Level, i), Client: client))).ToLookup(one => one.Channel, one => one.Client);
        _byChannel = [.. Enumerable.Range(0, plan.Channels).Select(channel => byChannel[channel].ToArray())];
        // One trial by itself: the memory of its server is that of its clients.
        _idle = plan.Scenario.IsTogether ? null : new IdleClients(_clients[0], servers.Processes is [var only] ? only : null);
        Participants = _idle is null ? [_sensor, .. _clients.SelectMany(one => one)] : [_sensor, _idle];
    }

    public IReadOnlyList<IParticipant> Participants { get; }

    public Countdown Waiting { get; }

    public LoadBounds Bounds => new(_plan.Scenario.Deadline, LoadBounds.DefaultConnectsUnderWay, LoadBounds.DefaultGrace);

    public long Sends => _plan.Sends;

    public TimeSpan DueAt(long send) => _plan.DueAt(send);

    public void Send(long send)
    {
        if (send == _plan.FirstJudged)
            _before = [.. _clients.Select(one => one.Select(At).ToArray())];
        var (channel, number) = _plan.Of(send);
        if (number == 0)
        {
            foreach (var client in _byChannel[channel])
                client.Begin();
        }
        _sensor.Send(_plan.NumberOf(channel), number);
    }

    public Observed Observe(long start, long firstDue) => ObserveEach(start, firstDue).Single();

    public IReadOnlyList<Observed> ObserveEach(long start, long firstDue) =>
        [.. _plan.Trials.Index().Select(one => Of(one.Item, one.Index, start, firstDue))];

    private Observed Of(Trial trial, int place, long start, long firstDue)
    {
        var clients = _clients[place];
        var attempts = (double)clients.Length * _plan.Scenario.Measurements;
        var since = _before.Length == 0 ? [] : clients.Zip(_before[place], (client, before) => (Now: At(client), Before: before)).ToArray();
        var offset = Stopwatch.GetElapsedTime(start, firstDue);
        var returns = Returns(clients, firstDue);
        return new Observed(
            [.. clients.Index().SelectMany(one => Enumerable.Range(0, _plan.Measurements).Select(number => Seen(one.Index, number)))],
            [default, clients.Aggregate(default(Anomalies), (sum, one) => sum.Add(one.Log.Anomalies))], 0,
            Observed.Count([_sensor.Failure, .. clients.Select(one => one.Failure)], _plan.Run))
        {
            Connected = clients.Count(one => one.HasEntered),
            Measures = new Dictionary<string, double?>
            {
                [TransportScenario.PairedDifference.Name] = PairedDifference(trial, clients),
                [TransportScenario.Requests.Name] = since.Sum(one => one.Now.Requests - one.Before.Requests) / attempts,
                [TransportCostScenario.ToServer.Name] = since.Sum(one => one.Now.Sent - one.Before.Sent) / attempts,
                [TransportCostScenario.ToClients.Name] = since.Sum(one => one.Now.Received - one.Before.Received) / attempts,
                [TransportCostScenario.IdleMemory.Name] = _idle?.Memory,
                [TransportCutsScenario.Cuts.Name] = returns.Length,
                [TransportCutsScenario.UntilFirst.Name] = returns.Average(until => until?.TotalMilliseconds),
            },
        };

        Observation Seen(int client, int number)
        {
            var log = clients[client].Log;
            var due = _plan.DueAt(_plan.SendOf(_plan.ChannelOf(trial.Level, client), number));
            return new Observation(
                TransportPlan.IdOf(trial, client, number), 0, client, offset + due, SentAt(log, number, offset + due), Receipt: null,
                Taken: false,
                Time(log.ArrivedAt(number)), clients[client].Failure?.Cause ?? _sensor.Failure?.Cause ?? Cause.None)
            { Flow = number < TransportScenario.Settling ? 0 : 1 };
        }

        // One that no client received has no stamp: its sensor sent it when it was due.
        TimeSpan? SentAt(MeasurementLog log, int number, TimeSpan due) =>
            Time(log.SentAt(number)) ?? (_sensor.Failure is null ? due : null);

        TimeSpan? Time(long? stamp) => stamp is { } at ? Stopwatch.GetElapsedTime(start, at) : null;
    }

    private static (long Sent, long Received, int Requests) At(FeedClient client) =>
        (client.Connections.Sent, client.Connections.Received, client.Requests);

    // For each connection in place of one that was cut, from the first measurement that is judged until the last is due: the time until
    // the next measurement came. Null: none came.
    private TimeSpan?[] Returns(FeedClient[] clients, long firstDue)
    {
        var begin = StampOf(_plan.FirstJudged);
        var end = StampOf(_plan.Sends - 1);
        return
        [
            .. from client in clients
               from at in client.Connections.Opened.Skip(1)
               where at >= begin && at <= end
               select client.Log.FirstSince(at) is { } next ? Stopwatch.GetElapsedTime(at, next) : (TimeSpan?)null,
        ];

        long StampOf(long send) => firstDue + (long)(_plan.DueAt(send).TotalSeconds * Stopwatch.Frequency);
    }

    // Over all judged measurements that both received. Null: there is no such arm, or nothing came.
    private double? PairedDifference(Trial trial, FeedClient[] clients)
    {
        var reference = _plan.Trials.Index()
            .Where(one => one.Item.Arm.Name == TransportArms.WebSocket && one.Item.Level.Equals(trial.Level))
            .Select(one => _clients[one.Index]).FirstOrDefault();
        return reference is null ? null : clients.Zip(reference).SelectMany(pair => Enumerable
            .Range(TransportScenario.Settling, _plan.Scenario.Measurements)
            .Select(number => (pair.First.Log.LatencyOf(number) - pair.Second.Log.LatencyOf(number))?.TotalMilliseconds)).Average();
    }

    private FeedClient Client(Trial trial, int client, long[][] sent, Dictionary<Trial, FeedRoute> routes)
    {
        var scenario = _plan.Scenario;
        var channel = _plan.ChannelOf(trial.Level, client);
        var route = routes[trial];
        var log = new MeasurementLog(sent[channel], TimeProvider.System);
        return trial.Arm.Name switch
        {
            TransportArms.WebSocket or TransportArms.WebSocketHttp2 => new SocketClient(route, log, Waiting, _plan.NumberOf(channel)),
            TransportArms.Events => new EventsClient(route, log, Waiting, _plan.NumberOf(channel)),
            TransportArms.LongPolling or TransportArms.LongPollingHttp2 => Polling(scenario.LongPollingWait, TimeSpan.Zero),
            TransportArms.Polling => Polling(TimeSpan.Zero, scenario.PollingPause),
            _ => throw new InvalidOperationException($"{trial.Arm} is no transport."),
        };

        PollingClient Polling(TimeSpan wait, TimeSpan pause) => new(
            route, log, Waiting, _plan.NameOf(trial, client), _plan.NumberOf(channel), wait, pause, _plan.PhaseOf(trial.Level, client));
    }
}
