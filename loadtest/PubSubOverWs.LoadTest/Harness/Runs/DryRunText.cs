using PubSubOverWs.Report.Costs;

namespace PubSubOverWs.LoadTest.Harness.Runs;

/// <summary>Describes what a run would do, without starting anything.</summary>
public static class DryRunText
{
    public static string Text(RunJob job)
    {
        var scenario = job.Scenario;
        var trials = job.Trials;
        var request = job.Request;
        var folder = job.Folder;
        var text = new StringBuilder();
        void Line(string line) => text.AppendLine(line);

        var atMost = job.IsAtMost ? "at most " : "";
        var messages = trials.Sum(trial => scenario.Sends(trial.Level));
        var size = job.RecordBytes < 1 << 20 ? "less than 1 MiB"
            : Invariant($"{(job.IsAtMost ? "at most" : "about")} {job.RecordBytes >> 20} MiB");
        var samples = scenario.Kind.KeepsSamples ? $"samples.csv.gz ({size}), " : "";
        var least = scenario.LeastWarmUps;
        var (warmUps, until) = job.IsAtMost
            ? (Invariant($"{least} to {scenario.MostWarmUps} warm-ups"), ", until the arm is steady")
            : (Invariant($"{least} {(least == 1 ? "warm-up" : "warm-ups")}"), "");
        var perBlock = scenario.Blocks == 1
            ? "1 block"
            : Invariant($"dealt over {scenario.Blocks} blocks");
        var levels = $"{string.Join(" x ", scenario.Factors.Select(factor => factor.Name))} "
            + string.Join(", ", scenario.Levels.Select(level => level.Key));
        Line(Invariant(
            $"scenario   {scenario.Name}: {string.Join(", ", scenario.Arms)}; {levels}; ")
                + Invariant($"arrival {scenario.Arrivals}; seed {scenario.Seed}"));
        foreach (var arm in scenario.Arms.Where(arm => arm.About.Length > 0))
            Line($"arm        {arm}: {arm.About}");
        foreach (var (word, detail) in scenario.Describe(isPinned: false).Details)
            Line($"{word,-10} {detail}");
        Line(Invariant(
            $"iterations {scenario.Iterations} per arm and level, {perBlock}; {warmUps} per arm, level and block{until}; ")
                + Invariant($"{atMost}{trials.Count} in all"));
        Line(Invariant($"messages   {atMost}{messages} of {scenario.PayloadText}{(scenario.Receipts ? ", each with a receipt" : "")}"));
        Line($"time       {RunHeader.Time(job)}");
        Line(Invariant(
            $"files      {folder}: run.json, iterations.csv, flows.csv, events.csv, ")
                + $"{(scenario.Measures.Count > 0 ? "measures.csv, " : "")}latency.hlog, stats.jsonl, {samples}SHA256SUMS, "
                + "report.md, report.json, report.html, report.csv");
        Line(Invariant($"processes  {string.Join(", ", job.Processes)}"));
        Line(Invariant($"ports      {Ports(request)}"));
        if (job.Bill is { } bill)
            Line(Invariant($"cost       {BillText.Expected(bill)}"));
        Line(Invariant($"limits     {scenario.MaxUsers * scenario.ConnectionsPerUser} connections at once; see doctor {scenario.Name}"));
        foreach (var gate in scenario.Gates)
            Line(Invariant($"gate       {gate}"));
        text.Append("Nothing was started.");
        return text.ToString();
    }

    private static string Ports(RunRequest request) => request.OwnServersOnly
        ? "each server listens on a free port of 127.0.0.1, chosen by the system; clients connect from 127.0.0.2 and up where the system "
            + "allows it"
        : "the addresses given; what the run starts itself listens on free ports of 127.0.0.1";
}
