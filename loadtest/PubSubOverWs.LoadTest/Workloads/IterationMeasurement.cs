using PubSubOverWs.Experiment.Records;
using PubSubOverWs.LoadTest.Targets.Drain;

namespace PubSubOverWs.LoadTest.Workloads;

/// <summary>What one iteration saw, before anything is concluded from it.</summary>
/// <param name="Seen">By its clients.</param>
public sealed record IterationMeasurement(Observed Seen) : Observed(Seen)
{
    /// <summary>Users connected and subscribed when the burst began.</summary>
    public required int Connections { get; init; }

    /// <summary>Until all users were in, or had failed.</summary>
    public required TimeSpan Connect { get; init; }

    /// <summary>From the first due until the runner has seen the last arrival, or that the deadline is over.</summary>
    public required TimeSpan Burst { get; init; }

    public required DrainResult Drain { get; init; }

    /// <summary>Over the burst.</summary>
    public required CpuTimes Cpu { get; init; }

    /// <summary>/stats of each server, from just before the burst and from after the drain, as they came.</summary>
    public required IReadOnlyList<ServerStats> Stats { get; init; }

    /// <summary>Collections of this process's garbage collector during the burst: pauses that the latencies contain.</summary>
    public required int Collections { get; init; }

    /// <summary>A server was started again under way: what it counted before is lost.</summary>
    public required bool Restarted { get; init; }
}
