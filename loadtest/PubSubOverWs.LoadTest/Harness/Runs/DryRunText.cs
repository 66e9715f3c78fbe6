using PubSubOverWs.LoadTest.Harness.Live;
using PubSubOverWs.LoadTest.Harness.Targets;
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

/// <summary>The first lines of a run, before anything is checked or started: what it does, where, and for how long.</summary>
public static class RunHeader
{
    public static IEnumerable<(string Word, string Text)> Write(RunJob job)
    {
        var scenario = job.Scenario;
        yield return ("run", $"{scenario.Name}: {string.Join(", ", scenario.Arms)} at {Levels(scenario)}");
        yield return (
            "iterations", Invariant($"{scenario.Iterations} of each in {scenario.Blocks} block{(scenario.Blocks == 1 ? "" : "s")}")
            + (job.Before is null ? "" : Invariant($"; {job.Trials.Count} in all are still to run")));
        if (job.Request.Client == ClientKind.Browser)
            yield return ("clients", "all in one page of a Chromium");
        if (scenario.Workers > 1 || job.Request.Join is not null)
            yield return ("clients", Invariant($"shared by {scenario.Workers} load processes"));
        yield return ("record", job.Folder);
        yield return ("time", $"{Time(job)}; Ctrl-C stops it and keeps everything that was recorded");
    }

    /// <summary>How long the job takes, estimated; with all warm-ups beside it, where arms may have fewer.</summary>
    public static string Time(RunJob job) => $"about {ProgressText.Duration(job.ExpectedIfSteady)}"
        + (job.IsAtMost ? $", up to {ProgressText.Duration(job.Expected)} with all warm-ups" : "");

    private static string Levels(Scenario scenario) => scenario.Factors.Count == 1
        ? $"{scenario.Factors[0].Name} {string.Join(", ", scenario.Levels.Select(level => level.Settings[0].Text))}"
        : Invariant($"{scenario.Levels.Count} levels of {string.Join(" x ", scenario.Factors.Select(factor => factor.Name))}");
}

/// <summary>The command that a user is likely to need after a run.</summary>
public static class NextStep
{
    /// <returns>The whole line, and in brackets what it is for.</returns>
    /// <param name="folder">Of the record, as the user names it.</param>
    /// <param name="request">The run that has ended; null: the record is all that is known.</param>
    public static string Text(string folder, RunFolder record, RunRequest? request) =>
        $"{ThisProgram.Name} {WordsOf(folder, record, request)}";

    private static string WordsOf(string folder, RunFolder record, RunRequest? request)
    {
        var run = record.Run;
        var scenario = record.Run.Scenario;
        var name = request?.Scenario ?? scenario.Name;
        var settings = request?.Changes.Settings ?? [];
        // Servers and queues of others are not tried again unasked.
        var isOwn = request is null or { OwnServersOnly: true, Queue: EmbeddedTarget };
        if (!run.Complete)
            return $"run --resume {folder}   (measures what is missing)";
        if (isOwn && !Validity.IsValid(record))
            return $"doctor {name}   (what this machine lacks for it)";
        if (isOwn && request?.Changes.Quick == true)
            return $"run {name}{Set(settings)}   (the whole scenario)";
        var needsNoise = record.Noise is null && scenario is { IsAgainstItself: false, Disturbance: null }
            && scenario.Kind == ScenarioKinds.First && scenario.Iterations >= Decision.LeastCount;
        var loads = settings.Where(setting => !setting.StartsWith("arms=", StringComparison.Ordinal));
        return isOwn && needsNoise
            ? $"run {name} --aa {scenario.Arms[0].Target}{Set(loads)}   (its noise floor, then: report {folder} --noise A/A-DIR)"
            : $"open{(request is { Out: null, Resume: null } ? "" : $" {folder}")}   (the report, in the browser)";
    }

    private static string Set(IEnumerable<string> settings) => string.Concat(settings.Select(setting => $" --set {setting}"));
}

/// <summary>What a run would do, for programs. <see cref="DryRunText"/> says it to people.</summary>
/// <param name="Plan">The version of the format.</param>
/// <param name="Scenario">With all changes of the command line.</param>
/// <param name="Folder">Of the record.</param>
/// <param name="Trials">Arms in iterations that are still to run, with all warm-ups that arms may have.</param>
/// <param name="Messages">Sent in all of them.</param>
/// <param name="ExpectedSeconds">An estimate from users and levels, of all of them.</param>
/// <param name="Connections">The most that are open at once.</param>
/// <param name="Processes">Servers, queues and browsers, those that are already running too.</param>
/// <param name="Cost">Of the queue; null: it is free, and no price was given.</param>
public sealed record PlanDocument(
    int Plan, Scenario Scenario, string Folder, int Trials, long Messages, double ExpectedSeconds, int Connections,
    IReadOnlyList<string> Processes, PlannedCost? Cost)
{
    private const int Version = 1;

    public static PlanDocument From(RunJob job) => new(
        Version,
        job.Scenario,
        job.Folder,
        job.Trials.Count,
        job.Trials.Sum(trial => job.Scenario.Sends(trial.Level)),
        Math.Ceiling(job.Expected.TotalSeconds),
        job.Scenario.MaxUsers * job.Scenario.ConnectionsPerUser,
        [.. job.Processes],
        job.Bill is { } bill ? PlannedCost.From(bill) : null);
}

/// <summary>The expected cost of a queue: least where every call carries ten messages, most where every call carries one.</summary>
/// <param name="PricePerMillion">Dollars for a million requests.</param>
public sealed record PlannedCost(
    decimal PricePerMillion, long RequestsAtLeast, long RequestsAtMost, decimal DollarsAtLeast, decimal DollarsAtMost)
{
    public static PlannedCost From(QueueBill bill) => new(
        bill.PricePerMillion, bill.ExpectedAtLeast, bill.ExpectedAtMost, bill.Dollars(bill.ExpectedAtLeast),
        bill.Dollars(bill.ExpectedAtMost));
}
