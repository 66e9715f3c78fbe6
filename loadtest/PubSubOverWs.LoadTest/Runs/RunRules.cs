using PubSubOverWs.Experiment;
using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Experiments.Relay;
using PubSubOverWs.LoadTest.Clients;
using PubSubOverWs.LoadTest.Targets.Sqs;

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
            "--blocks cannot be more than 1 with --direct or --pubsub: servers that the run did not start cannot be started afresh, and "
                + "are one block.");
        if (request.Changes.AgainstItself is { } server)
            CheckAgainstItself(request, server);
        Demand(!request.OwnServersOnly || request.Access == ServerAccess.None,
            $"{request.Access.Options.FirstOrDefault().Name} is of no use without --direct or --pubsub: leave it away, for servers that "
                + "the run starts let everybody on this machine in.");
        Demand(!request.NamesSqsClient || request.PubSub is null,
            $"{QueueTarget.ClientOption} is of no use with --pubsub, for that server has a client: leave it away, and set Sqs:Client of "
                + "the "
                + "server.");
        Demand(!request.MayCostMoney || request.Queue is AwsTarget,
            $"{CostConsent.Option} is of no use without --sqs aws: leave it away, for nothing else costs money.");
        Demand(request.Out is null || request.Label is null, "--label is part of the default folder's name: leave it away with --out.");
    }

    /// <summary>Addresses must be of arms that are run: a typing error must not measure something else than was meant.</summary>
    /// <exception cref="RefusalException">Names the address and the arm.</exception>
    public static void CheckAddresses(RunRequest request, IReadOnlyList<Arm> arms)
    {
        foreach (var (option, given, arm) in new[]
                 {
                     ("--direct", request.Direct is not null, Arms.Direct),
                     ("--pubsub", request.PubSub is not null, Arms.PubSub),
                     (QueueTarget.ClientOption, request.NamesSqsClient, Arms.PubSub),
                     (request.Queue.NamedBy, request.Queue.NamedBy is not null, Arms.PubSub),
                 })
        {
            Demand(!given || arms.Any(one => one.Name == arm),
                $"{option} is of no use without the arm {arm}: leave it away, or add {arm} to --arms.");
        }
    }

    /// <summary>Only the embedded queue can pretend to be far away.</summary>
    /// <exception cref="RefusalException">There is none in this run.</exception>
    public static void CheckQueueLatency(RunRequest request, RelayScenario scenario) => Demand(
        !scenario.QueueLatency.IsSimulated || (request.PubSub is null && request.Queue is EmbeddedTarget && scenario.Runs(Arms.PubSub)),
        $"The queue latency {scenario.QueueLatency} is LocalSqs's: leave --pubsub, --sqs-endpoint and --sqs aws away and measure the arm "
            + "pubsub, or say --queue-latency none.");

    /// <summary>Only servers that the run starts can be made to share their work.</summary>
    /// <exception cref="RefusalException">It starts none.</exception>
    public static void CheckPubSubNodes(RunRequest request, RelayScenario scenario) => Demand(
        scenario.PubSubNodes == 1 || (request.PubSub is null && scenario.Runs(Arms.PubSub)),
        $"{scenario.PubSubNodes} pubsub nodes are servers that the run starts: leave --pubsub away and measure the arm pubsub, or say "
            + "--pubsub-nodes 1.");

    private static void CheckAgainstItself(RunRequest request, string server)
    {
        Demand(request.OwnServersOnly, $"--aa starts two instances of the {server} server: leave --direct and --pubsub away.");
        Demand(request.Changes.Arms is null, $"--aa {server} says which arms there are: leave --arms away.");
        Demand(request.Changes.Gates.Count == 0,
            "--gate names direct and pubsub, which are no arms of an A/A run: leave it away; an A/A run that fails its criterion ends "
                + "with exit code 2 by itself.");
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
