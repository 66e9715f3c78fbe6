using PubSubOverWs.Experiment.Accounting;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.LoadTest.Targets.Drain;

namespace PubSubOverWs.LoadTest.Workloads.OneWay;

/// <summary>What one iteration saw, before anything is concluded from it.</summary>
public sealed record IterationMeasurement
{
    /// <summary>One for each message, user by user; times are from the iteration's start.</summary>
    public required IReadOnlyList<Observation> Observations { get; init; }

    public required Anomalies Anomalies { get; init; }

    /// <summary>Receipts that said taken.</summary>
    public required long Acknowledged { get; init; }

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

    /// <summary>When clients were away, from the iteration's start.</summary>
    public required IReadOnlyList<OfflineWindow> Windows { get; init; }

    /// <summary>How often a message was published again because it had no answer.</summary>
    public required long Republished { get; init; }

    /// <summary>What went wrong, in words such as <c>handshake-rejected(503)</c>, and how often.</summary>
    public required IReadOnlyDictionary<string, int> Failures { get; init; }
}
