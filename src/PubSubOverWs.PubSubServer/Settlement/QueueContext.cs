using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>Objects that all parts share that send to a server's queues, or read them.</summary>
/// <param name="Sqs">The client of the queues.</param>
/// <param name="Health">Told by the client how its calls went.</param>
/// <param name="Options">How the queues are used.</param>
/// <param name="Memory">Bounds what is held of all queues together.</param>
/// <param name="Meter">Counts what happens to SQS messages.</param>
/// <param name="RelayMeter">Counts what is lost.</param>
/// <param name="Time">The clock.</param>
/// <param name="Awake">That by which a publish waits for the queue's answer.</param>
/// <param name="Log">Of unusual events.</param>
internal sealed record QueueContext(
    ISqs Sqs, QueueHealth Health, SqsBrokerOptions Options, QueueMemory Memory, QueueMeter Meter, RelayMeter RelayMeter, TimeProvider Time,
    TimeProvider Awake, ILogger Log)
{
    public static QueueContext Of(
        ISqs sqs, SqsBrokerOptions options, RelayMeter relayMeter, TimeProvider time, TimeProvider awake, ILogger log)
    {
        var health = new QueueHealth(time, log);
        return new(
            new WatchedSqs(sqs, health), health, options, QueueMemory.Of(options, time), new QueueMeter(), relayMeter, time, awake, log);
    }
}
