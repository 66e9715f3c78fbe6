using PubSubOverWs.Report.Documents;
using PubSubOverWs.Report.Standard.Rows;

namespace PubSubOverWs.Report.Standard.Sections;

/// <summary>Validity checks, gates, settings and machine of the run.</summary>
internal static class CheckSection
{
    public static IEnumerable<Block> Write(RunFacts facts)
    {
        yield return new Heading(2, facts.IsValid ? "Validity: all checks pass" : "Validity: THIS RUN IS INVALID");
        yield return Table.From(
            facts.Validity,
            ("check", check => check.Name),
            ("holds", check => check.Holds switch { true => "yes", false => "**NO**", null => "not judged" }),
            ("found", check => check.Detail));
        yield return new Heading(2, "Gates");
        if (facts.Gates.Count == 0)
            yield return new Paragraph("The scenario has no gates.");
        else
            yield return new BulletList(facts.Gates.Select(gate => gate.Sentence));
        yield return new Heading(2, "The run");
        yield return Pairs("setting", [.. Run(facts), .. facts.SetUp.Settings.Select(setting => (setting.Key, setting.Value))]);
        yield return new Heading(2, "The machine");
        yield return Pairs(
            "part",
            [.. Machine(facts.Machine), .. facts.Machine.Limits.Concat(facts.Machine.Versions).Select(pair => (pair.Key, pair.Value))]);
    }

    private static (string, string)[] Run(RunFacts facts)
    {
        var scenario = facts.Scenario;
        var progress = facts.Progress;
        var setUp = facts.SetUp;
        var said = scenario.Describe(isPinned: setUp.Pinned.Count > 0);
        return
        [
            ("started, ended", $"{Format.Utc(progress.Started)}, {Format.Utc(progress.Ended)}"),
            ("complete", progress.Complete ? "yes" : "NO"),
            ("rows",
                $"{progress.Recorded} of {progress.Planned} planned, with warm-up and floor; {progress.BlocksWhole} of "
                    + $"{progress.BlocksPlanned} blocks complete"),
            ("resumed",
                progress.Resumed == 0
                    ? "no"
                    : $"{Format.Count(progress.Resumed, "time")}; {Format.Count(progress.Superseded, "row")} superseded"),
            ("arms", $"{string.Join(", ", scenario.Arms)}{said.Arms}"),
            ("iterations per arm and level",
                $"{scenario.Iterations} in {Format.Count(scenario.Blocks, "block")}; warm-up per block, left out: {scenario.WarmUps}"
                    + (scenario.MostWarmUps > 0 ? $", and further ones until the arm is steady, at most {scenario.MostWarmUps}" : "")),
            ("arrival, deadline", $"{scenario.Arrivals}, {Duration.Text(scenario.Deadline)}"),
            ("payload", $"{scenario.PayloadText}, {(scenario.Receipts ? "with" : "without")} receipts"),
            .. said.Settings,
            ("seed", Format.Whole(scenario.Seed)),
            ("servers", setUp.OwnServers ? "started by the run, afresh for each block" : "already running: all iterations are one block"),
            ("machine", setUp.SharedMachine ? "load and servers share one machine" : "load and servers are on different machines"),
            .. setUp.Client == ClientKind.Browser
                ? [("clients", $"one page in {Browser(setUp)}")]
                : Array.Empty<(string, string)>(),
            ("queue", setUp.Queue + (setUp.SqsClient is { } client ? $"; called by {client}" : "")),
            ("pinning, as read back", setUp.Pinned.Count > 0
                ? string.Join(", ", setUp.Pinned.Select(one => $"{one.Process} on {one.Cores}"))
                : $"none{(setUp.NotPinnedBecause is { } why ? $": {why}" : "")}"),
        ];
    }

    /// <summary>The browser that had the clients, with the resolution of its clock.</summary>
    public static string Browser(SetUp setUp) => setUp.Browser is { } browser
        ? $"Chromium {browser.Version}, with a clock of {Format.Short(browser.ClockUs)} us"
        : "a Chromium that was not described";

    private static (string, string)[] Machine(MachineRecord machine) =>
    [
        ("commit", machine.Commit ?? "not known"),
        ("system", $"{machine.Os}, {machine.Architecture}"),
        ("processor", $"{machine.Cpu}, {machine.Cores} cores"),
        ("memory", $"{Format.Fixed(machine.MemoryBytes / (double)(1L << 30), 1)} GiB"),
        ("runtime", $"{machine.Runtime}; collector of the load runner: {machine.CollectorMode}"),
    ];

    private static Table Pairs(string name, IEnumerable<(string Name, string Value)> pairs) =>
        Table.From(pairs, (name, pair => pair.Name), ("value", pair => pair.Value));
}
