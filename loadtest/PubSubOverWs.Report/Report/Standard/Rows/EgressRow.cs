namespace PubSubOverWs.Report.Standard.Rows;

/// <summary>Bytes and calls of one arm at one level, over all measured iterations.</summary>
/// <param name="Arm">Its name.</param>
/// <param name="Users">The level.</param>
/// <param name="Delivered">The divisor of <see cref="PerMessage"/>.</param>
/// <param name="Clients">Bytes to clients, by kind; null: not known of every iteration.</param>
/// <param name="Queue">Calls and bytes to the queue, by kind; null: not known of every iteration.</param>
public sealed record EgressRow(string Arm, int Users, long Delivered, ClientBytes? Clients, QueueTraffic? Queue)
{
    /// <summary>Bytes and calls per delivered message; each null where nothing was delivered, or the amount is not known.</summary>
    public EgressPerMessage PerMessage => new(
        Of(Clients?.Payload), Of(Clients?.Stomp), Of(Clients?.WebSocket), Of(Clients?.Total), Of(Queue?.BytesOut), Of(Queue?.Calls),
        Of(Queue?.BytesIn), Of(Clients?.Total + Queue?.BytesOut.Total));

    private double? Of(long? amount) => Delivered == 0 ? null : (double?)amount / Delivered;

    private QueuePerMessage? Of(QueueCounts? counts) => Delivered == 0 || counts is not { } all
        ? null
        : new(Of(all.Send)!.Value, Of(all.Receive)!.Value, Of(all.Delete)!.Value, Of(all.ChangeVisibility)!.Value, Of(all.Other)!.Value,
            Of(all.Total)!.Value);
}

/// <summary>Calls to the queue, or bytes of their requests, per delivered message.</summary>
public sealed record QueuePerMessage(double Send, double Receive, double Delete, double ChangeVisibility, double Other, double Total);

/// <summary>Averages per delivered message. Null: not known, or nothing was delivered.</summary>
/// <param name="Payload">Bytes of message bodies to clients.</param>
/// <param name="Stomp">Bytes of STOMP framing to clients.</param>
/// <param name="WebSocket">Bytes of WebSocket framing to clients.</param>
/// <param name="Clients">All bytes to clients.</param>
/// <param name="QueueBytesOut">Bytes of requests to the queue.</param>
/// <param name="QueueCalls">Requests to the queue.</param>
/// <param name="QueueBytesIn">Bytes of the queue's answers.</param>
/// <param name="BytesOut">Bytes to clients and to the queue, for which an operator pays.</param>
public sealed record EgressPerMessage(
    double? Payload, double? Stomp, double? WebSocket, double? Clients, QueuePerMessage? QueueBytesOut, QueuePerMessage? QueueCalls,
    double? QueueBytesIn, double? BytesOut);

/// <summary>The offered and achieved load of one arm at one level, and its cost.</summary>
/// <param name="Arm">Its name, or that of the floor.</param>
/// <param name="Users">The level.</param>
/// <param name="Connected">The share of users that were connected and subscribed when the load began.</param>
/// <param name="ConnectMs">Mean over iterations, until all were connected.</param>
/// <param name="AskedPerSecond">Messages per second; null: all at once.</param>
/// <param name="ReachedPerSecond">Delivered messages over the sum of <c>burstUs</c>: a ratio of sums, so short bursts weigh less.</param>
/// <param name="LagP99Ms">The worst iteration's 99th percentile of sent - due.</param>
/// <param name="LoadCoreShare">The worst iteration's busy share of the core that carries the load.</param>
/// <param name="ServerCpuUs">Per delivered message.</param>
/// <param name="QueueCpuUs">Per delivered message.</param>
/// <param name="LoadCpuUs">Per delivered message.</param>
/// <param name="IdleCpuMs">Of the servers that were not under test, mean per iteration.</param>
public sealed record LoadRow(
    string Arm, int Users, double? Connected, double? ConnectMs, double? AskedPerSecond, double? ReachedPerSecond, double? LagP99Ms,
    double? LoadCoreShare, double? ServerCpuUs, double? QueueCpuUs, double? LoadCpuUs, double? IdleCpuMs);
