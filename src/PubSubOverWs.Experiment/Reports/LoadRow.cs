namespace PubSubOverWs.Experiment.Reports;

/// <summary>What was asked of one arm at one level, what came of it, and what it cost.</summary>
/// <param name="Arm">direct, pubsub or floor.</param>
/// <param name="Users">The level.</param>
/// <param name="Connected">The share of users that were connected and subscribed when the load began.</param>
/// <param name="ConnectMs">Mean over iterations, until all were.</param>
/// <param name="AskedPerSecond">Messages per second; null: all at once.</param>
/// <param name="ReachedPerSecond">All that was delivered, over the sum of <c>burstUs</c>: a ratio of sums, so that short bursts weigh no
/// more than long ones.</param>
/// <param name="LagP99Ms">The worst iteration's 99th percentile of sent - due.</param>
/// <param name="LoadCoreShare">The worst iteration's busy share of the core that carries the load.</param>
/// <param name="ServerCpuUs">Per delivered message.</param>
/// <param name="QueueCpuUs">Per delivered message.</param>
/// <param name="LoadCpuUs">Per delivered message.</param>
/// <param name="IdleCpuMs">Of the servers that were not under test, mean per iteration.</param>
public sealed record LoadRow(
    string Arm,
    int Users,
    double? Connected,
    double? ConnectMs,
    double? AskedPerSecond,
    double? ReachedPerSecond,
    double? LagP99Ms,
    double? LoadCoreShare,
    double? ServerCpuUs,
    double? QueueCpuUs,
    double? LoadCpuUs,
    double? IdleCpuMs);
