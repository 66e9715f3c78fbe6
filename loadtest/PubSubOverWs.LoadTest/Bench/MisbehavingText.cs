namespace PubSubOverWs.LoadTest.Bench;

/// <summary>The figures of <see cref="MisbehavingBench"/> as lines of text.</summary>
public static class MisbehavingText
{
    private const double MiB = 1024 * 1024;

    /// <summary>Above <see cref="Line"/>; latency in milliseconds from when a message was due, memory in MiB.</summary>
    public const string Heading =
        "  server   beside clients that         copies   missing  p99 without  p99 beside  ratio       cut  peak RSS     bound";

    public static string Line(string server, MisbehavingPair pair) => Invariant(
        $"  {server,-8} {Words(pair.What),-24} {pair.Without.Copies + pair.Beside.Copies,9:N0} ")
            + Invariant(
                $"{pair.Without.Missing + pair.Beside.Missing,9:N0} {pair.Without.P99Milliseconds,12:N2} ")
                    + Invariant(
                        $"{pair.Beside.P99Milliseconds,11:N2} {pair.Ratio,6:N2} {pair.Cut,9:N0} {pair.PeakResidentBytes / MiB,9:N0} ")
                            + Invariant($"{pair.MemoryBoundBytes / MiB,9:N0}");

    public static IEnumerable<string> Verdicts(MisbehavingFigures figures)
    {
        foreach (var (what, ratio) in figures.Ratios)
        {
            yield return what == Misbehaviour.None
                ? Invariant($"  {figures.Server}: p99 without them / without them: {ratio:N2}; not judged")
                : Invariant(
                    $"  {figures.Server}: p99 beside clients that {Words(what)} / without them: {ratio:N2}; at most ")
                        + Invariant($"{MisbehavingFigures.Bar:N2}: {Held(ratio <= MisbehavingFigures.Bar)}");
        }
        yield return Invariant(
            $"  {figures.Server}: {figures.Missing:N0} {(figures.Missing == 1 ? "copy" : "copies")} for well-behaved clients did not ")
                + Invariant($"come; at most 0: {Held(figures.Missing == 0)}");
        yield return Invariant(
            $"  {figures.Server}: resident at most {figures.PeakResidentBytes / MiB:N0} MiB; within what it computed from its settings: ")
                + Invariant($"{Held(figures.MemoryHolds)}");
    }

    private static string Held(bool holds) => holds ? "held" : "NOT held";

    private static string Words(Misbehaviour what) => what switch
    {
        Misbehaviour.None => "(none)",
        Misbehaviour.NeverAcknowledge => "never acknowledge",
        Misbehaviour.GiveBack => "give back everything",
        Misbehaviour.ReadSlowly => "read one byte a second",
        Misbehaviour.SubscribeOften => "subscribe 1,000 times",
        Misbehaviour.LeaveTransactionsOpen => "commit no transaction",
        Misbehaviour.ReadSteadily => "read 30 kB a second",
        Misbehaviour.LeaveTogether => "leave all together",
        Misbehaviour.CommitUnread => "commit and do not read",
        _ => "do all of it",
    };
}
