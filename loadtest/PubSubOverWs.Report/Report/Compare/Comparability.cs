using PubSubOverWs.Report.Claims;
using PubSubOverWs.Report.Documents;

namespace PubSubOverWs.Report.Compare;

/// <summary>Checks that two runs measured the same thing on the same kind of machine. Their results may differ.</summary>
public static class Comparability
{
    // Containers are given a little more or less of a machine's memory; a run that fits into both does not see it.
    private const double LargestMemoryDifference = 0.25;

    // These keys do not change what is measured, only how often, in which order, and how it is judged.
    private static readonly string[] Indifferent = ["iterations", "blocks", "seed", "gates", "margins", "quick"];

    // The only one that servers started by a run could have then.
    private const string ClientBeforeItWasRecorded = "http";

    /// <summary>Why two runs must not be compared, half a sentence each; empty: they may be.</summary>
    /// <param name="nameOfA">How the sentences call the first.</param>
    /// <param name="nameOfB">How they call the second.</param>
    public static IReadOnlyList<string> Obstacles(RunFolder a, RunFolder b, string nameOfA = "A", string nameOfB = "B") =>
        [.. Unusable(a, nameOfA), .. Unusable(b, nameOfB), .. Sameness(a.Run, b.Run, nameOfA, nameOfB),
            .. Differences(a.Run, b.Run, nameOfA, nameOfB)];

    /// <summary>The same of the levels that both have: that one run has more of them is no obstacle.</summary>
    public static IReadOnlyList<string> ObstaclesAtCommonLevels(RunFolder a, RunFolder b) =>
        [.. Unusable(a, "A"), .. Unusable(b, "B"), .. Sameness(a.Run, b.Run, "A", "B"),
            .. Differences(a.Run, b.Run with { Scenario = b.Run.Scenario.WithLevelsOf(a.Run.Scenario) }, "A", "B")];

    /// <summary>Why a run is not usable at all.</summary>
    public static IEnumerable<string> Unusable(RunFolder folder, string name)
    {
        var broken = Validity.Check(folder).Where(check => check.Holds == false).Select(check => check.Name).ToArray();
        if (broken.Length > 0)
            yield return $"{name} is invalid ({string.Join("; ", broken)})";
        if (!folder.Run.Complete)
            yield return $"{name} is incomplete";
    }

    /// <summary>In what the runs are not the same, as far as that is known before they run.</summary>
    public static IEnumerable<string> Differences(RunRecord a, RunRecord b, string nameOfA, string nameOfB)
    {
        var settingsA = Settings(a);
        var settingsB = Settings(b);
        foreach (var key in settingsA.Keys.Union(settingsB.Keys))
        {
            var one = settingsA.GetValueOrDefault(key, "not set");
            var other = settingsB.GetValueOrDefault(key, "not set");
            if (one != other)
                yield return $"{key}: {one} in {nameOfA}, {other} in {nameOfB}";
        }

        if (SqsClient(a) is { } clientOfA && SqsClient(b) is { } clientOfB && clientOfA != clientOfB)
            yield return $"SQS client: {clientOfA} in {nameOfA}, {clientOfB} in {nameOfB}";

        var memoryA = a.Machine.MemoryBytes;
        var memoryB = b.Machine.MemoryBytes;
        if (Math.Abs(memoryA - memoryB) > LargestMemoryDifference * Math.Max(memoryA, memoryB))
            yield return $"memory: {memoryA >> 20} MiB in {nameOfA}, {memoryB >> 20} MiB in {nameOfB}";
    }

    // The start is the one thing that a copy of a folder keeps and no other run has: it is written to a tenth of a microsecond.
    private static IEnumerable<string> Sameness(RunRecord a, RunRecord b, string nameOfA, string nameOfB)
    {
        if (a.Started == b.Started)
            yield return $"{nameOfA} and {nameOfB} are one run, started at {Format.Utc(a.Started)}";
    }

    // Null: the run started no server with a queue, so it is not known.
    private static string? SqsClient(RunRecord run) =>
        run.SetUp.SqsClient ?? (run.SetUp.OwnServers && run.Scenario.HasQueue ? ClientBeforeItWasRecorded : null);

    private static Dictionary<string, string> Settings(RunRecord run)
    {
        // From the scenario as it is written, so that a key that is new is compared, too.
        using var scenario = JsonSerializer.SerializeToDocument(
            run.Scenario with { Arms = [.. run.Scenario.Arms.OrderBy(arm => arm.Name, StringComparer.Ordinal)] }, ScenarioJson.Options);
        var settings = scenario.RootElement.EnumerateObject().Where(one => !Indifferent.Contains(one.Name))
            .ToDictionary(one => one.Name, one => one.Value.ToString());
        settings["servers"] = run.SetUp.OwnServers ? "started by the run" : "already there";
        settings["load and servers"] = run.SetUp.SharedMachine ? "on one machine" : "on different machines";
        settings["pinned in fact"] = run.Scenario.Pinning && run.SetUp.NotPinnedBecause is null ? "yes" : "no";
        settings["clients"] = Kebab.Text(run.SetUp.Client);
        settings["queue"] = run.SetUp.Queue;
        settings["processor"] = run.Machine.Cpu;
        settings["cores"] = run.Machine.Cores.ToString(System.Globalization.CultureInfo.InvariantCulture);
        settings["system"] = WithoutVersion(run.Machine.Os);
        settings["architecture"] = run.Machine.Architecture;
        return settings;
    }

    // A baseline must outlive an update of the system: "Ubuntu 24.04.2 LTS" is "Ubuntu".
    private static string WithoutVersion(string system) =>
        string.Concat(system.TakeWhile(letter => letter != '(' && !char.IsAsciiDigit(letter))).TrimEnd();
}
