using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workers;
using PubSubOverWs.LoadTest.Harness.Workers.Joining;
using PubSubOverWs.Report.Compare;
using PubSubOverWs.Report.Gates;

namespace PubSubOverWs.LoadTest.Harness.Runs;

/// <summary>Refuses options of <c>run</c> that cannot be combined, before any file is read.</summary>
public static class RunRules
{
    /// <summary>What has the clients.</summary>
    public const string ClientOption = "--client";

    // Chromium opens at most 255 WebSockets in a page, one of which is for the orders.
    private const int MaxUsersOfPage = 200;

    // All of them are in the plan of a trial, which is one message to the page.
    private const int MaxBytesOfPage = 4 << 20;

    private static readonly ScenarioChanges NoChanges = new();

    /// <exception cref="RefusalException">Names the options and which to omit.</exception>
    public static void Check(RunRequest request)
    {
        if (request.SelfTest)
        {
            CheckSelfTest(request);
            return;
        }

        RefusalException.ThrowUnless(request.Scenario is not null || request.Resume is not null,
            "'run' needs a scenario: use run paper or run smoke, or give the path of a .json file.");
        RefusalException.ThrowUnless(!request.Json || request.DryRun,
            "--json prints the plan of a run: add --dry-run, or read report.json in the folder of the record.");
        if (request.Resume is not null)
            CheckResume(request);
        RefusalException.ThrowUnless(request.OwnServersOnly || request.Changes.Blocks is null or 1,
            $"--blocks cannot be more than 1 with {TargetList.Options("or")}: servers that the run did not start cannot be restarted, "
                + "so they are one block.");
        if (request.Changes.AgainstItself is { } server)
            CheckAgainstItself(request, server);
        RefusalException.ThrowUnless(!request.OwnServersOnly || request.Access == ServerAccess.None,
            $"{request.Access.Options.FirstOrDefault().Name} has no effect without {TargetList.Options("or")}: omit it, because "
                + "servers that the run starts accept everyone on this machine.");
        foreach (var target in TargetList.All)
            target.CheckOptions(request);
        RefusalException.ThrowUnless(
            request.Out is null || request.Label is null, "--label is part of the default folder's name: omit it with --out.");
    }

    /// <summary>Refuses options that have no effect on this scenario, or cannot be combined with it.</summary>
    /// <exception cref="RefusalException">Names the option, and what to do.</exception>
    public static void Check(RunRequest request, Scenario scenario)
    {
        var (first, second) = scenario.Kind.Contrasts[0];
        RefusalException.ThrowUnless(request.Changes.AgainstItself is null || request.Changes.Gates.Count == 0,
            $"--gate names {first} and {second}, which are not arms of an A/A run: omit it; an A/A run that fails its criterion ends "
                + "with exit code 2 by itself.");
        foreach (var (target, use) in TargetList.In(scenario, request))
            target.Check(use);
        if (request.Client == ClientKind.Browser)
            CheckBrowser(request, scenario);
        if (request.Join is not null)
            CheckJoin(request, scenario);
        RefusalException.ThrowUnless(scenario.Workers == 1 || OperatingSystem.IsLinux(),
            scenario.Kind.SharesClients
                ? "--workers needs one clock for several processes, which is known to be so on Linux only: omit it."
                : $"The clients of {scenario.Kind.Name} are in several load processes, which need one clock: that is known to be so on "
                    + "Linux only.");
        RefusalException.ThrowUnless(scenario.Disturbance is not { NeedsOwnServers: true } || request.OwnServersOnly,
            $"The fault {scenario.Disturbance?.Name} needs servers and a queue that the run starts: omit "
                + $"{TargetList.Options("and")}.");
    }

    private static void CheckJoin(RunRequest request, Scenario scenario)
    {
        RefusalException.ThrowUnless(
            Catalogue.For(scenario) is ISharedLoad,
            $"{JoinOptions.At} has the clients in load processes, which those of {scenario.Kind.Name} cannot be: omit it.");
        RefusalException.ThrowUnless(
            request.Client == ClientKind.Own, $"{ClientOption} browser has all users in one page: omit {JoinOptions.At}.");
    }

    private static void CheckBrowser(RunRequest request, Scenario scenario)
    {
        const string Option = $"{ClientOption} browser";
        if (Catalogue.For(scenario) is not IBrowserLoad experiment)
            throw new RefusalException(
                $"{Option} has the users of the paper in a page, not those of the experiment {scenario.Kind.Name}: omit it, or run paper.");
        experiment.CheckBrowser(scenario, Option);
        RefusalException.ThrowUnless(scenario.Workers == 1, $"{Option} has all users in one page: omit --workers.");
        RefusalException.ThrowUnless(request.OwnServersOnly,
            $"{Option} needs servers that the run starts, because they must let its page connect: omit {TargetList.Options("and")}.");
        RefusalException.ThrowUnless(scenario.MaxUsers <= MaxUsersOfPage,
            $"{Option} has all users in one page, which can open {MaxUsersOfPage} connections, and the scenario has {scenario.MaxUsers}: "
                + "add --users 50.");
        RefusalException.ThrowUnless(scenario.Levels.Max(scenario.Sends) * scenario.PayloadBytes <= MaxBytesOfPage,
            $"{Option} takes at most {MaxBytesOfPage >> 20} MiB of messages in an iteration: use fewer users, fewer messages or a smaller "
                + "payload.");
    }

    private static void CheckAgainstItself(RunRequest request, string server)
    {
        RefusalException.ThrowUnless(request.OwnServersOnly,
            $"--aa starts two instances of the {server} server: omit {TargetList.Options("and")}.");
        RefusalException.ThrowUnless(!request.Changes.Sets("arms"), $"--aa {server} sets the arms: omit --arms.");
    }

    private static void CheckSelfTest(RunRequest request) => RefusalException.ThrowUnless(
        request with { Changes = NoChanges, Plain = false } == new RunRequest { Changes = NoChanges, SelfTest = true }
            && request.Changes is { Gates.Count: 0 } && (request.Changes with { Seed = null, NoPin = false }).IsEmpty,
        "--self-test has a plan of its own and leaves no record: omit every other option except --seed, --no-pin and --no-live.");

    private static void CheckResume(RunRequest request)
    {
        RefusalException.ThrowUnless(
            request.Scenario is null, $"--resume takes the scenario from the record: omit '{request.Scenario}'.");
        RefusalException.ThrowUnless(request.Changes.IsEmpty,
            "--resume continues with the scenario as it was recorded: omit the options that change it (only --gate may be added).");
        RefusalException.ThrowUnless(
            request.Out is null && request.Label is null, "--resume writes into the folder it names: omit --out and --label.");
    }
}

/// <summary>Refuses a baseline that the run could not be compared with, before the run instead of after it.</summary>
public static class BaselineRules
{
    /// <exception cref="RefusalException">Lists every known difference.</exception>
    public static void Check(RunJob job, DateTimeOffset now)
    {
        if (BaselineFolder.Read(job.Request.Baseline, Gate.From(job.Scenario)) is not { } baseline)
            return;
        var planned = RunDescription.Start(job, PinningPlan.ForThisMachine(job.Scenario.Pinning), now);
        string[] obstacles = [.. Comparability.Unusable(baseline, "the baseline"),
            .. Comparability.Differences(baseline.Run, planned, "the baseline", "this run")];
        if (obstacles.Length > 0)
            throw new RefusalException(
                ExitCode.NotComparable,
                $"This run could not be compared with its baseline ({string.Join("; ", obstacles)}): measure the baseline with the same "
                    + "settings, or omit --baseline.");
    }
}

/// <summary>The record that <c>--baseline</c> names.</summary>
public static class BaselineFolder
{
    /// <summary>A gate that refers to the baseline.</summary>
    public static string Example => $"{PubSubTarget.Kind}.latency.mean <= baseline * 1.10 + 2ms";

    /// <param name="folder">Null: no baseline was given.</param>
    /// <exception cref="RefusalException">No gate refers to the baseline: a gate was forgotten.</exception>
    /// <exception cref="RecordException">The record cannot be used.</exception>
    public static RunFolder? Read(string? folder, IEnumerable<Gate> gates) => folder switch
    {
        null => null,
        _ when gates.Any(gate => gate.NeedsBaseline) => RecordReader.Read(folder),
        _ =>
            throw new RefusalException(
                $"--baseline has no effect without a gate that names it: omit it, or add --gate \"{Example}\"."),
    };
}

/// <summary>Refuses gates that the run cannot answer, and a file for them that cannot be written, before the run.</summary>
public static class GateRules
{
    /// <exception cref="RefusalException">Names the gate or the file, and what to do.</exception>
    public static void Check(RunJob job)
    {
        // Those of a run that is resumed were checked when it began.
        var gates = job.Before is null ? job.Scenario.Gates : job.Request.Changes.Gates;
        foreach (var gate in gates.Select(text => Gate.Parse(text, job.Scenario)))
        {
            GateQuantity[] asked = gate.Right is null ? [gate.Left] : [gate.Left, gate.Right];
            if (asked.Select(quantity => WhyNot(job.Scenario, quantity)).FirstOrDefault(why => why is not null) is { } unanswered)
                throw new RefusalException($"The gate '{gate.Text}' cannot be answered by this run: {unanswered}.");
        }

        if (job.Request.JUnit is { } junit)
            OutputFile.Check("--junit", junit);
    }

    private static string? WhyNot(Scenario scenario, GateQuantity asked)
    {
        var metric = asked.Metric;
        if (scenario.FindArm(asked.Arm) is null)
            return $"it does not have the arm {asked.Arm}; add it to --arms, or omit the gate";
        if (metric.NeedsReceipts && !scenario.Receipts)
            return $"{metric.Gate} counts acknowledged messages; add --receipts";
        // By itself a latency is of the first flow that is judged.
        var flow = scenario.Flows.FirstOrDefault(one => metric.Gate.StartsWith(one.Name + '.', StringComparison.Ordinal))
            ?? scenario.Flows.First(one => one.Judged);
        foreach (var level in scenario.Levels)
        {
            if (scenario.AttemptsOf(flow, level) is { } messages && messages < metric.LeastSamples)
                return Invariant($"at {level} an iteration has {messages} messages, and {metric.Gate} needs {metric.LeastSamples}; ask ")
                    + "for a percentile that needs fewer (p50: 20, p90: 100, p99: 1,000) or the mean, or measure only levels with enough";
        }

        return null;
    }
}

/// <summary>
/// Conditions that must be unchanged to resume a run: one record cannot mix two programs, two queues or two machines. Stricter than
/// <see cref="Report.Compare.Comparability"/>, which decides whether two records may be compared.
/// </summary>
public static class ResumeRules
{
    /// <exception cref="RefusalException">Names what changed, and what to do.</exception>
    public static void Check(RunJob job, RunFolder record)
    {
        var before = record.Run;
        RefusalException.ThrowUnless(before.SetUp.OwnServers == job.Request.OwnServersOnly, before.SetUp.OwnServers
            ? $"The run to resume started its own servers: omit {TargetList.Options("and")}."
            : $"The run to resume measured servers that were already running: give {TargetList.Options("and")} again.");
        RefusalException.ThrowUnless(before.Machine.Commit == ThisProgram.Commit,
            $"The run to resume was made by commit {before.Machine.Commit ?? "unknown"}, this program is "
                + $"{ThisProgram.Commit ?? "unknown"}: one record cannot mix two programs, so start a new run.");
        var setUp = RunDescription.SetUp(job, PinningPlan.ForThisMachine(job.Scenario.Pinning));
        foreach (var (name, was, now) in Compared(before.SetUp, setUp).Concat(Compared(before.Machine, MachineDescription.Make())))
            RefusalException.ThrowUnless(was == now,
                $"The run to resume had {name} '{was}', and now it is '{now}': resume it on its own machine with the addresses it was "
                    + "started with, or start a new run.");
    }

    private static IEnumerable<(string Name, string Was, string Now)> Compared(SetUp before, SetUp now)
    {
        yield return ("queue", before.Queue, now.Queue);
        yield return ("clients", Kebab.Text(before.Client), Kebab.Text(now.Client));
        yield return ("SQS client", before.SqsClient ?? "not recorded", now.SqsClient ?? "not recorded");
        foreach (var setting in before.Settings.Keys.Union(now.Settings.Keys))
            yield return (setting, before.Settings.GetValueOrDefault(setting, "none"), now.Settings.GetValueOrDefault(setting, "none"));
        yield return ("pinning", before.NotPinnedBecause ?? "as the scenario wants it", now.NotPinnedBecause ?? "as the scenario wants it");
    }

    private static IEnumerable<(string Name, string Was, string Now)> Compared(MachineRecord before, MachineRecord now)
    {
        yield return ("processor", before.Cpu, now.Cpu);
        yield return ("cores", $"{before.Cores}", $"{now.Cores}");
        yield return ("system", before.Os, now.Os);
    }
}
