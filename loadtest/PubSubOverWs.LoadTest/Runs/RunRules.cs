using PubSubOverWs.Experiment;
using PubSubOverWs.Experiment.Design;
using PubSubOverWs.LoadTest.Clients;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>Options of <c>run</c> that cannot go together, each refused in one sentence before anything is looked up.</summary>
public static class RunRules
{
    private static readonly ScenarioChanges NoChanges = new();

    /// <exception cref="RefusalException">Names the two options and which to leave away.</exception>
    public static void Check(RunRequest request)
    {
        if (request.SelfTest)
        {
            CheckSelfTest(request);
            return;
        }

        Demand(request.Scenario is not null || request.Resume is not null,
            "'run' needs a scenario: say run paper, run smoke, or give the path of a .json file.");
        if (request.Resume is not null)
            CheckResume(request);
        Demand(request.OwnServersOnly || request.Changes.Blocks is null or 1,
            $"--blocks cannot be more than 1 with {TargetList.Options("or")}: servers that the run did not start cannot be started afresh, "
                + "and are one block.");
        if (request.Changes.AgainstItself is { } server)
            CheckAgainstItself(request, server);
        Demand(!request.OwnServersOnly || request.Access == ServerAccess.None,
            $"{request.Access.Options.FirstOrDefault().Name} is of no use without {TargetList.Options("or")}: leave it away, for "
                + "servers that the run starts let everybody on this machine in.");
        foreach (var target in TargetList.All)
            target.CheckOptions(request);
        Demand(request.Out is null || request.Label is null, "--label is part of the default folder's name: leave it away with --out.");
    }

    /// <summary>What is to be run must be of use with all that was said, and possible with it.</summary>
    /// <exception cref="RefusalException">Names what is not, and what to do.</exception>
    public static void Check(RunRequest request, Scenario scenario)
    {
        var (first, second) = scenario.Kind.Contrasts[0];
        Demand(request.Changes.AgainstItself is null || request.Changes.Gates.Count == 0,
            $"--gate names {first} and {second}, which are no arms of an A/A run: leave it away; an A/A run that fails its criterion ends "
                + "with exit code 2 by itself.");
        foreach (var (target, use) in TargetList.In(scenario, request))
            target.Check(use);
        Demand(scenario.Disturbance is not { NeedsOwnServers: true } || request.OwnServersOnly,
            $"The fault {scenario.Disturbance?.Name} is done to servers that the run starts, or to their queue: leave "
                + $"{TargetList.Options("and")} away.");
    }

    private static void CheckAgainstItself(RunRequest request, string server)
    {
        Demand(request.OwnServersOnly,
            $"--aa starts two instances of the {server} server: leave {TargetList.Options("and")} away.");
        Demand(request.Changes.Arms is null, $"--aa {server} says which arms there are: leave --arms away.");
    }

    private static void CheckSelfTest(RunRequest request) => Demand(
        request with { Changes = NoChanges, Plain = false } == new RunRequest { Changes = NoChanges, SelfTest = true }
            && request.Changes is { Gates.Count: 0 } && (request.Changes with { Seed = null, NoPin = false }).IsEmpty,
        "--self-test has a plan of its own and leaves no record: leave everything beside it away but --seed, --no-pin and --no-live.");

    private static void CheckResume(RunRequest request)
    {
        Demand(request.Scenario is null, $"--resume takes the scenario from the record: leave '{request.Scenario}' away.");
        Demand(request.Changes.IsEmpty,
            "--resume goes on with the scenario as it was recorded: leave away the options that change it (only --gate may be added).");
        Demand(request.Out is null && request.Label is null, "--resume writes into the folder it names: leave --out and --label away.");
    }

    private static void Demand(bool holds, string otherwise)
    {
        if (!holds)
            throw new RefusalException(ExitCode.BadUsage, otherwise);
    }
}
