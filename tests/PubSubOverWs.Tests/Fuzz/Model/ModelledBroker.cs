using System.Globalization;
using System.Net.WebSockets;
using PubSubOverWs.PubSubServer;
using PubSubOverWs.Stomp;
using PubSubOverWs.Tests.LocalSqs;
using PubSubOverWs.Tests.PubSubServer;
using PubSubOverWs.Tests.Relay;
using PubSubOverWs.Tests.Stomp;

namespace PubSubOverWs.Tests.Fuzz.Model;

/// <summary>
/// The pubsub server over a queue of LocalSqs, as its one client sees it, who publishes and subscribes, acknowledges and refuses.
/// </summary>
internal sealed class ModelledBroker(LocalSqsHost queues, string queue, BrokerLife life) : IDisposable
{
    /// <summary>Seconds after which what is held is renewed: a third of its visibility.</summary>
    public const int Renewal = QueueModel.Visibility / 3;

    private const string Destination = "/queue/a";

    private readonly Dictionary<int, PlainFrame> _held = [];
    private BrokerLife _life = life;
    private int _published;

    public static async Task<ModelledBroker> StartAsync(LocalSqsHost queues, string queue) =>
        new(queues, queue, await BrokerLife.StartAsync(queues, queue, Destination));

    public async Task PublishAsync()
    {
        var body = $"{_published++}";
        await _life.Client.PublishAsync(Destination, body, $"receipt:{body}");
        // The receipt and the message itself, whichever is first.
        PlainFrame[] frames = [await _life.Client.ReceiveAsync().Patiently(), await _life.Client.ReceiveAsync().Patiently()];
        Assert.Equal(body, Assert.Single(frames, frame => frame.Command == StompCommand.Receipt).Header("receipt-id"));
        Take(Assert.Single(frames, frame => frame.Command == StompCommand.Message));
        Assert.True(_held.ContainsKey(_published - 1));
    }

    public Task AcknowledgeAsync(int message) => _life.Client.AckAsync(Remove(message));

    public Task GiveBackAsync(int message) => _life.Client.NackAsync(Remove(message));

    public async Task CrashAsync()
    {
        _held.Clear();
        await _life.CrashAsync();
        _life = await BrokerLife.StartAsync(queues, queue, Destination);
    }

    /// <summary>Until all that the broker has is renewed.</summary>
    /// <param name="leases">As many as that is.</param>
    public async Task WaitAsync(int leases)
    {
        var renewed = _life.Renewed + leases;
        queues.Time.Advance(TimeSpan.FromSeconds(Renewal));
        await Waiting.UntilAsync(() => _life.Renewed >= renewed && !_life.IsRenewing);
    }

    /// <summary>Takes what comes until the client has these messages; nothing else comes.</summary>
    public async Task ExpectAsync(IReadOnlyCollection<int> held)
    {
        while (_held.Count < held.Count)
            Take(await _life.Client.ReceiveAsync(StompCommand.Message).Patiently());
        Assert.Equal(held, _held.Keys.Order());
        await _life.Client.ExpectNothingAsync();
    }

    /// <summary>Until the queue has so many messages in flight, and none besides.</summary>
    public async Task ExpectInFlightAsync(int inFlight)
    {
        var url = await queues.Sqs.GetQueueUrlAsync(queue, CancellationToken.None);
        await Waiting.UntilAsync(async () =>
            await queues.Sqs.GetQueueAttributesAsync(url, CancellationToken.None) is var now
                && (now.InFlight, now.Visible) == (inFlight, 0));
    }

    public void Dispose() => _life.CrashAsync().GetAwaiter().GetResult();

    private void Take(PlainFrame message) => _held.Add(int.Parse(message.Body, CultureInfo.InvariantCulture), message);

    private PlainFrame Remove(int message)
    {
        Assert.True(_held.Remove(message, out var frame));
        return frame;
    }
}

/// <summary>A pubsub server from its start to its crash, with one client that subscribes.</summary>
internal sealed class BrokerLife(CrashingServer server, StompTestClient client)
{
    public StompTestClient Client { get; } = client;

    /// <summary>How often it has had the queue hide a message for longer.</summary>
    public int Renewed => server.Renewed;

    public bool IsRenewing => server.IsRenewing;

    public static async Task<BrokerLife> StartAsync(LocalSqsHost queues, string queue, string destination)
    {
        var server = await CrashingServer.StartAsync(queues, new QueueBrokerOptions
        {
            Name = queue,
            PollLoops = 1,
            WaitTime = TimeSpan.FromSeconds(20),
            VisibilityTimeout = TimeSpan.FromSeconds(QueueModel.Visibility),
            MaxDeliveries = 1_000,
            Settle = { Linger = TimeSpan.Zero },
        });
        var client = await server.Relay.ConnectAsync(kind: WebSocketMessageType.Binary);
        await client.SubscribeAsync(destination, "1", "ack:client-individual", "prefetch-count:20");
        return new BrokerLife(server, client);
    }

    public Task CrashAsync() => server.CrashAsync();
}
