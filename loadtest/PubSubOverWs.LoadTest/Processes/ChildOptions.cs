namespace PubSubOverWs.LoadTest.Processes;

/// <summary>How children are started and stopped.</summary>
public sealed record ChildOptions
{
    /// <summary>
    /// The core that the child gets for itself, through <c>taskset -c</c>; null: not pinned. See <see cref="PinningPlan"/>.
    /// </summary>
    public int? Core { get; init; }

    /// <summary>From the start of the process until it is ready.</summary>
    public TimeSpan StartTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// From closing its standard input until it has ended; then it is killed. A server may take a long poll (5 s) and a drain.
    /// </summary>
    public TimeSpan StopTimeout { get; init; } = TimeSpan.FromSeconds(15);

    public TimeProvider Time { get; init; } = TimeProvider.System;
}
