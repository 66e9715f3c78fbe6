using System.Text;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting.Internal;
using Microsoft.Extensions.Logging.Abstractions;
using PubSubOverWs.PubSubServer;
using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;

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

    /// <summary>A server that the test opens and runs: <see cref="SqsBroker.OpenAsync"/>, <see cref="SqsBroker.RunAsync"/>.</summary>
    public static SqsBroker Broker(SqsBrokerOptions options, Func<Delivery, DeliverOutcome> deliver, TimeProvider time) => new(
        new ServiceCollection().BuildServiceProvider(), options, deliver, new RelayMeter(), time,
        new ApplicationLifetime(NullLogger<ApplicationLifetime>.Instance),
        NullLogger<SqsBroker>.Instance);
}
