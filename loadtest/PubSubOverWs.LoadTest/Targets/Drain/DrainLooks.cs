namespace PubSubOverWs.LoadTest.Targets.Drain;

/// <summary>How often a queue must be seen empty before it is believed.</summary>
/// <param name="InARow">Looks that all see nothing.</param>
/// <param name="Between">From one look to the next.</param>
/// <param name="Timeout">When to give up. Longer than the visibility time-out (30 s), after which an undeleted message comes again and may
/// be settled.</param>
public sealed record DrainLooks(int InARow, TimeSpan Between, TimeSpan Timeout)
{
    /// <summary>A server whose counts are exact at every moment, as LocalSqs's are.</summary>
    public static DrainLooks Near { get; } = new(3, TimeSpan.FromMilliseconds(100), TimeSpan.FromSeconds(45));

    /// <summary>
    /// AWS: its counts come from many machines and may be a minute late, so that nothing has to be seen for longer than that.
    /// </summary>
    public static DrainLooks Aws { get; } = new(6, TimeSpan.FromSeconds(15), TimeSpan.FromMinutes(5));

    /// <summary>From the first look to the last of an empty queue.</summary>
    public TimeSpan Shortest => Between * (InARow - 1);
}
