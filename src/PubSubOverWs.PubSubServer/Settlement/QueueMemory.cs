using PubSubOverWs.Relay;

namespace PubSubOverWs.PubSubServer;

/// <summary>Shared by all flows out of a server's queues, so that together they stay within its memory.</summary>
/// <param name="InFlight">For SQS messages that were received and are neither deleted nor released.</param>
/// <param name="Held">Of that, for messages that wait for a subscriber, for room, or for the delay after a NACK.</param>
/// <param name="Deliveries">How often messages were delivered that are in the queue again.</param>
/// <param name="Parked">The server's knowledge of the parked queue.</param>
internal sealed record QueueMemory(InFlightMemory InFlight, FairShare Held, DeliveryCounts Deliveries, ParkedDestinations Parked)
{
    private const int RememberedDeliveries = 10_000;
    private const long RememberedBytes = 16 << 20;

    public static QueueMemory Of(SqsBrokerOptions options, TimeProvider time) => new(
        new InFlightMemory(options.MaxInFlightBytes), new FairShare(options.MostHeld.Bytes),
        new DeliveryCounts(RememberedDeliveries, RememberedBytes), new ParkedDestinations(time, options.VisibilityTimeout));

    /// <summary>The most that all this may take, in bytes, with the bodies that are under way from one queue to another.</summary>
    public static long MaxBytes(SqsBrokerOptions options) =>
        options.MaxInFlightBytes + RememberedBytes + ParkedDestinations.MostBytes + (QueuesOf(options) * Transfers.MaxBytesUnderWay);

    // Its own and the parked one; of a node also the one that all share, and that of a dead node.
    private static int QueuesOf(SqsBrokerOptions options) => options.Nodes.Enabled ? 4 : 2;
}
