using System.Text;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Options;
using PubSubOverWs.PubSubServer;
using PubSubOverWs.Queues;
using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;
using PubSubOverWs.Tests.Relay;

namespace PubSubOverWs.Tests.PubSubServer;

/// <summary>Messages and what a receive brings of them.</summary>
internal static class Sample
{
    public static Message Message(string id, string destination = "/queue/a", string body = "body") =>
        new(id, destination, [], Encoding.UTF8.GetBytes(body), IsText: true);

    public static byte[] Envelope(params Message[] messages) => EnvelopeJson.Write(null, messages);

    /// <summary>The receipt handle is the id of the first message.</summary>
    public static ReceivedMessage Received(params Message[] messages) => Received(1, messages);

    public static ReceivedMessage Received(int receives, params Message[] messages) =>
        new($"sqs-{messages[0].Id}", messages[0].Id, Envelope(messages), receives);

    public static ReceivedMessage NoEnvelope(string handle) => new($"sqs-{handle}", handle, "no envelope"u8.ToArray(), 1);

    /// <summary>The queues of a server, as <see cref="FakeSqs"/> has them.</summary>
    public static QueueUrls Urls { get; } =
        new("q", FakeSqs.UrlOf("q"), FakeSqs.UrlOf("q-dead"), FakeSqs.UrlOf("q-parked"));

    /// <summary>A server at which nobody has subscribed yet.</summary>
    public static Subscriptions NoSubscribers(FakeTime time) => new(
        new DeliveryStep(Options.Create(new RelayOptions()), time), TestTelemetry.Of(time));

    /// <summary>What the parts of a server share.</summary>
    public static QueueContext Server(
        FakeTime time, QueueBrokerOptions? options = null, RelayMeter? relayMeter = null, ISqs? sqs = null) =>
        QueueContext.Create(
            sqs ?? new FakeSqs(time), options ?? new QueueBrokerOptions(), relayMeter ?? new RelayMeter(), time, time, NullLogger.Instance);

    /// <summary>The state that the parts of a flow share: by default the flow out of the queue that is not the parked one.</summary>
    public static FlowContext Flow(
        QueueContext server, Leases leases, QueueUrls? urls = null, CancellationToken stopping = default) =>
        new(server, urls ?? Urls, leases, new PatientCalls(server.Time, stopping));

    /// <summary>A server that the test runs: <see cref="QueueServer.RunAsync"/>.</summary>
    public static Task<QueueServer> OpenAsync(
        FakeSqs sqs, QueueBrokerOptions options, Func<Delivery, DeliverOutcome> deliver, FakeTime time) =>
        SingleServer.OpenAsync(Server(time, options, sqs: sqs), deliver, CancellationToken.None);
}

internal static class LeasesInTests
{
    /// <summary>Adds what one receive brought. Those for which there was no memory.</summary>
    public static IReadOnlyList<Lease> Add(this Leases leases, IReadOnlyList<Lease> received)
    {
        var setAside = InFlightBudget.PerReceive;
        return received.Where(lease =>
        {
            var isRoom = leases.TryAdd(lease, setAside);
            setAside = Math.Max(0, setAside - lease.SizeCounted);
            return !isRoom;
        }).ToList();
    }
}
