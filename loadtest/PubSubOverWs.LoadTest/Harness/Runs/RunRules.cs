using PubSubOverWs.LoadTest.Harness.Clients;

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
        RefusalException.ThrowUnless(scenario.Workers == 1 || OperatingSystem.IsLinux(),
            scenario.Kind.SharesClients
                ? "--workers needs one clock for several processes, which is known to be so on Linux only: omit it."
                : $"The clients of {scenario.Kind.Name} are in several load processes, which need one clock: that is known to be so on "
                    + "Linux only.");
        RefusalException.ThrowUnless(scenario.Disturbance is not { NeedsOwnServers: true } || request.OwnServersOnly,
            $"The fault {scenario.Disturbance?.Name} needs servers and a queue that the run starts: omit "
                + $"{TargetList.Options("and")}.");
    }

    private static void CheckBrowser(RunRequest request, Scenario scenario)
    {
        const string Option = $"{ClientOption} browser";
        if (Catalogue.For(scenario) is not IBrowserLoad experiment)
            throw new RefusalException(
                $"{Option} has the users of the paper in a page, not those of the experiment {scenario.Kind.Name}: omit it, or run paper.");
        experiment.CheckBrowser(scenario, Option);
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
