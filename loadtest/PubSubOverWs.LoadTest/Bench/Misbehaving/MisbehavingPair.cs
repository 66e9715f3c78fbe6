namespace PubSubOverWs.LoadTest.Bench.Misbehaving;

/// <summary>Two legs of one server process: first without misbehaving clients, then beside them.</summary>
/// <param name="What">They do.</param>
/// <param name="Cut">How often the server cut one of them, or did not let one in.</param>
/// <param name="PeakResidentBytes">Of the server's process over both legs; 0 where the system does not tell.</param>
/// <param name="MemoryBoundBytes">What the server computed from its settings that it takes at most.</param>
public sealed record MisbehavingPair(
    Misbehaviour What, WellBehavedLeg Without, WellBehavedLeg Beside, int Cut, long PeakResidentBytes, long MemoryBoundBytes)
{
    public double Ratio => Beside.P99Milliseconds / Without.P99Milliseconds;
}
