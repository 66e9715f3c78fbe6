using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.LoadTest.Bench;

/// <summary>
/// Clients that read and acknowledge all that comes. Each consumes a queue of its own and subscribes to one of <see cref="Topics"/> topics.
/// They send in turn, at a fixed rate together: one message in ten to a topic, the others to the sender's own queue.
/// </summary>
internal sealed class WellBehavedClients(ClientTarget target, int count, int payloadBytes, TimeProvider time) : IDisposable
{
    /// <summary>Shared by all subscribers, of either kind.</summary>
    public const int Topics = 10;

    private const int TopicEvery = 10;
    private const int FeedEvery = 5;
    private const int ConnectsUnderWay = 64;

    private readonly StompConnection[] _clients = [.. Enumerable.Range(0, count).Select(_ => new StompConnection(target))];
    private readonly byte[] _body = [.. Enumerable.Repeat((byte)'x', payloadBytes)];
    private Task _reading = Task.CompletedTask;
    private volatile Leg? _leg;
    private int _legs;

    /// <summary>The topic of the client with this number.</summary>
    public static string Topic(int client) => $"/topic/shared-{client % Topics}";

    public async Task ConnectAsync(CancellationToken cancellationToken)
    {
        var options = new ParallelOptions { MaxDegreeOfParallelism = ConnectsUnderWay, CancellationToken = cancellationToken };
        await Parallel.ForAsync(0, count, options, async (i, _) => await OpenAsync(i));
        _reading = Task.WhenAll(_clients.Select(ReadAsync));
    }

    /// <summary>Latencies of all copies in milliseconds from when each message was due, sorted, and how many copies did not come.</summary>
    /// <param name="rate">Messages a second, all clients together.</param>
    /// <param name="length">How long they send.</param>
    /// <param name="fed">Destinations of misbehaving clients: each fifth message is preceded by one for the next of them, on the same
    /// connection.</param>
    /// <param name="cancellationToken">Cuts the measurement.</param>
    public async Task<(double[] Sorted, int Missing)> RunAsync(
        int rate, TimeSpan length, IReadOnlyList<string> fed, CancellationToken cancellationToken)
    {
        var leg = _leg = new Leg(++_legs, rate, (int)(rate * length.TotalSeconds), count);
        var found = await leg.Watch.RunAsync(i => Send(leg, i, fed), time, cancellationToken);
        _leg = null;
        return found;
    }

    public void Dispose()
    {
        foreach (var client in _clients)
            client.Dispose();
    }

    /// <summary>Completes when every connection has ended.</summary>
    public Task EndAsync()
    {
        Dispose();
        return _reading;
    }

    private async Task OpenAsync(int client)
    {
        var failure = await _clients[client].OpenAsync() ?? await _clients[client].LogInAsync()
            ?? await SubscribeAsync(StompMessages.Subscribe("q", Queue(client), "client-individual"))
            ?? await SubscribeAsync(StompMessages.Subscribe("t", Topic(client)));
        if (failure is not null)
            throw new ChildException(
                $"The bench could not open a connection: {failure.Detail}. Ask for fewer with --connections, "
                    + "or raise the limit of open files.");

        // Nothing was sent yet.
        Task<ConnectFailure?> SubscribeAsync(byte[] subscribe) => _clients[client].SubscribeAsync(subscribe, (_, _) => { });
    }

    private static string Queue(int client) => $"/queue/well-behaved-{client}";

    private static bool IsToTopic(int message) => message % TopicEvery == 0;

    private void Send(Leg leg, int message, IReadOnlyList<string> fed)
    {
        var sender = _clients[message % count];
        // Directly before its own: that would wait too if a server held the publisher for those who misbehave.
        if (fed.Count > 0 && message % FeedEvery == 0)
            sender.TrySend(StompMessages.Send(fed[message / FeedEvery % fed.Count], "fed", _body, receipt: null));
        var destination = IsToTopic(message) ? Topic(message / TopicEvery) : Queue(message % count);
        sender.TrySend(StompMessages.Send(destination, leg.Watch.Id(message), _body, receipt: null));
    }

    private async Task ReadAsync(StompConnection connection, int client)
    {
        do
        {
            while (connection.TryRead(out var frame))
            {
                if (frame.TryGet(StompNames.Ack, out var ack))
                    connection.TrySend(StompMessages.Ack(ack));
                if (_leg is { } leg && leg.Watch.TryRead(frame, out var message))
                    leg.Watch.Add(message, leg.FirstCopy(message) + (IsToTopic(message) ? client / Topics : 0));
            }
        }
        while (await connection.ReceiveAsync());
    }

    private sealed class Leg
    {
        private readonly int[] _firstCopies;

        public Leg(int number, int rate, int messages, int clients)
        {
            _firstCopies = new int[messages];
            var copies = 0;
            for (var i = 0; i < messages; i++)
            {
                _firstCopies[i] = copies;
                copies += IsToTopic(i) ? Subscribers(i / TopicEvery % Topics, clients) : 1;
            }
            Watch = new LegWatch(number, rate, messages, copies);
        }

        public LegWatch Watch { get; }

        public int FirstCopy(int message) => _firstCopies[message];

        private static int Subscribers(int topic, int clients) => (clients - topic + Topics - 1) / Topics;
    }
}
