namespace PubSubOverWs.Experiment.Records;

/// <summary>CPU time (user and system) that each process took from just before the burst until its last message. Null: not known.</summary>
/// <param name="Server">The server under test (arm floor: the null echo).</param>
/// <param name="Queue">The queue, where it is a process of this run.</param>
/// <param name="Load">The load runner.</param>
/// <param name="Idle">The servers that are not under test in this iteration, together: what they took from the others.</param>
public readonly record struct CpuTimes(TimeSpan? Server, TimeSpan? Queue, TimeSpan? Load, TimeSpan? Idle);
