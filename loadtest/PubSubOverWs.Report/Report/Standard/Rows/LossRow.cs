using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Report.Metrics;
using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Report.Standard.Rows;

/// <summary>Outcomes of the messages of one arm at one level, over all measured iterations.</summary>
/// <param name="Iterations">n.</param>
/// <param name="WithLoss">Iterations that lost anything.</param>
/// <param name="WithLossShare">The exact 95 % interval of the share of such iterations.</param>
/// <param name="Dispersion">variance/mean of the losses over iterations; null: nothing lost, or n below 2.</param>
/// <param name="MessageShare">The exact 95 % interval of the loss of a message; null where losses are clustered, or absent.</param>
/// <param name="Drops">As the server reports them; null: not known of every iteration.</param>
public sealed record LossRow(
    string Arm, [property: JsonPropertyName("users")] Level Level, int Iterations, Buckets Buckets, int WithLoss, Interval? WithLossShare,
    double? Dispersion, Interval? MessageShare, Anomalies Anomalies, ServerDrops? Drops)
{
    /// <inheritdoc cref="Level.Number"/>
    [JsonIgnore]
    public int Users => Level.Number;

    /// <summary>Iterations after which the queue was not shown to be empty: guarantee loss is claimed only if there is none.</summary>
    [JsonIgnore]
    public int NotDrained { get; init; }

    /// <summary>One for each level and arm; quick, unlike a whole report.</summary>
    public static IReadOnlyList<LossRow> All(RunFolder folder) =>
    [
        .. from one in ArmLevel.Measured(folder)
           let row = DetailBuilder.Losses(one)
           // A disturbance takes messages together, even where it does so evenly over the iterations.
           select folder.Run.Scenario.Disturbance is null ? row : row with { MessageShare = null },
    ];
}

/// <summary>The latency of one arm at one level, in ms. Exploratory.</summary>
/// <param name="Iterations">n.</param>
/// <param name="Mean">Over iterations, of delivered messages.</param>
/// <param name="RestrictedMean">Over iterations, with lost messages counted at the deadline.</param>
/// <param name="P50">The median of the iterations' own; null where one has too few samples for it.</param>
/// <param name="P90">As P50, from 100 samples.</param>
/// <param name="P99">As P50, from 1,000 samples.</param>
/// <param name="MeanFromDue">Over iterations, from the scheduled send.</param>
public sealed record LatencyRow(
    string Arm, int Users, int Iterations, double? Mean, double? RestrictedMean, double? P50, double? P90, double? P99, double? Max,
    double? MeanFromDue)
{
    /// <summary>Null, and not written: the record lacks the distributions of its iterations.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public LatencyCurve? Curve { get; init; }
}

/// <summary>The merged histograms of all iterations of one arm at one level; each value is known to 1 in 1,000. Exploratory.</summary>
/// <param name="Percentiles">p50, p90, p99 and p99.9, as far as ten messages are on either side.</param>
/// <param name="Points">The curve, from the lowest latency up.</param>
public sealed record LatencyCurve(long Messages, IReadOnlyList<Percentile> Percentiles, IReadOnlyList<CurvePoint> Points);

/// <param name="OneIn">1/(1-p): at most one message in this many was slower.</param>
/// <param name="Ms">Than this.</param>
public readonly record struct CurvePoint(double OneIn, double Ms);

/// <summary>The resolution of the iterations and blocks of one level, given their scatter.</summary>
/// <param name="Latency">Half the width of the 95 % interval of R of mean latencies, of the judged unit. Null: no interval.</param>
/// <param name="Detectable">The smallest |R - 1| that the test detects with a power of 80 %, before Holm's correction. Null: nothing was
/// tested, or no scatter.</param>
public sealed record Resolution(int Users, double? Latency, double? Detectable)
{
    internal static Resolution From(Comparison latency) => new(
        latency.Users, (latency.Judged.Ratio95?.High - latency.Judged.Ratio95?.Low) / 2,
        Statistics.Detectable.Ratio(latency.Judged, latency.First));
}

/// <summary>The latency of a null echo at one level, in ms: what the load takes by itself.</summary>
/// <param name="Iterations">One per block.</param>
/// <param name="Mean">Over iterations.</param>
public sealed record FloorRow(int Users, int Iterations, double? Mean, double? Lowest, double? Highest)
{
    /// <summary>The mean over that of the first arm; null: that was not measured.</summary>
    public double? OfFirst { get; init; }
}

/// <summary>Bytes and calls of one arm at one level, over all measured iterations.</summary>
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
/// <param name="QueueBytesIn">Bytes of the queue's answers.</param>
/// <param name="BytesOut">Bytes to clients and to the queue, for which an operator pays.</param>
public sealed record EgressPerMessage(
    double? Payload, double? Stomp, double? WebSocket, double? Clients, QueuePerMessage? QueueBytesOut, QueuePerMessage? QueueCalls,
    double? QueueBytesIn, double? BytesOut);

/// <summary>The offered and achieved load of one arm at one level, and its cost.</summary>
/// <param name="Arm">Its name, or that of the floor.</param>
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
