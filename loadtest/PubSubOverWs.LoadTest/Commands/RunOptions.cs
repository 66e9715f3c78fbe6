using System.CommandLine;
using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Experiments.Faults;
using PubSubOverWs.Experiment.Scenarios;
using PubSubOverWs.LoadTest.Runs;
using PubSubOverWs.LoadTest.Targets;
using PubSubOverWs.LoadTest.Targets.Relay;
using PubSubOverWs.LoadTest.Targets.Sqs;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary>The options of <c>run</c>: each declared, explained and read here.</summary>
public sealed class RunOptions
{
    private readonly Argument<string?> _scenario = new("SCENARIO")
    {
        Arity = ArgumentArity.ZeroOrOne,
        Description = "paper, smoke, faults, or the path of a scenario's .json; not needed with --resume and --self-test",
    };

    private readonly Option<bool> _quick = new("--quick")
    { Description = "the scenario's smaller form: fewer levels, one block, no claim of reproduction" };
    private readonly Option<string[]> _set = new("--set")
    {
        Description = "a key of the scenario with another value, such as deadline=2s or rate=10,100; may be given more than once",
        HelpName = "KEY=VALUE",
    };

    private readonly Option<IReadOnlyList<int>?> _users = new("--users")
    {
        Description = "levels, such as 50,100,500",
        HelpName = "N,N,..",
        CustomParser = Values.Levels("--users"),
        AllowMultipleArgumentsPerToken = true,
    };

    private readonly Option<int?> _iterations = new("--iterations")
    {
        Description = "measured iterations per arm and level, dealt over the blocks",
        HelpName = "N",
        CustomParser = Values.Count("--iterations", 1),
    };

    private readonly Option<int?> _blocks = new("--blocks")
    {
        Description = "servers and queue start afresh for each block",
        HelpName = "B",
        CustomParser = Values.Count("--blocks", 1),
    };

    private readonly Option<IReadOnlyList<string>?> _arms = new("--arms")
    {
        Description = "what is measured: " + string.Join(',', ScenarioKinds.First.Arms.Where(arm => arm.About.Length == 0))
            + string.Concat(ScenarioKinds.First.Arms.Where(arm => arm.About.Length > 0).Select(arm => $", and {arm}, {arm.About}")),
        HelpName = "ARM,..",
        CustomParser = Values.Choice("--arms", [.. KnownArms.Select(arm => arm.Name)]),
        AllowMultipleArgumentsPerToken = true,
    };

    private readonly Option<string?> _aa = new("--aa")
    {
        Description =
            "an A/A run: two separately started instances of this server, and how far they seem to differ (the noise floor): "
                + string.Join(" or ", Doubled),
        HelpName = "ARM",
        CustomParser = Values.OneOf("--aa", Doubled),
    };

    private readonly Option<string?> _arrival = new("--arrival")
    { Description = "burst: all send at once; spread:2s: evenly over that time", HelpName = "burst|spread:T" };
    private readonly Option<string?> _fault = new("--fault")
    {
        Description =
            $"what is broken while the scenario faults runs, with the profile's defaults: {string.Join(", ", FaultProfiles.Names)}; "
                + "docs/faults.md has the predictions",
        HelpName = "NAME",
        CustomParser = Values.OneOf("--fault", [.. FaultProfiles.Names]),
    };

    private readonly Option<string?> _queueLatency = new("--queue-latency")
    {
        Description =
            "how far away the embedded queue pretends to be: aws, or median and 99th percentile, such as 20ms,80ms; reports say "
                + "\"simulated distance\"",
        HelpName = "none|aws|T,T"
    };
    private readonly Option<int?> _pubsubNodes = new("--pubsub-nodes")
    {
        Description = $"how many {PubSubTarget.Kind} servers share the work of their arm, 1 to 16; the users are spread over them evenly",
        HelpName = "K",
        CustomParser = Values.Count("--pubsub-nodes", 1)
    };
    private readonly Option<bool> _receipts = new("--receipts")
    { Description = "every SEND asks for a receipt, so that the guarantee loss is defined" };
    private readonly Option<bool> _noPin = new("--no-pin") { Description = "do not pin server and load to cores of their own" };
    private readonly Option<int?> _seed = new("--seed")
    {
        Description = "decides the order of the arms, when faults come, and the faults of a self-test",
        HelpName = "N",
        CustomParser = Values.Count("--seed", 0)
    };
    private readonly Option<string?> _out = new("--out")
    { Description = "the record's folder; by default results/SCENARIO/TIME here", HelpName = "DIR" };
    private readonly Option<string?> _label = new("--label")
    { Description = "added to the name of the default folder; with --fault the profile's name if left out", HelpName = "WORD" };
    private readonly Option<string?> _resume = new("--resume")
    { Description = "go on with an interrupted run: the block that was cut is run again", HelpName = "DIR" };
    private readonly Option<bool> _dryRun = new("--dry-run")
    { Description = "say what would run, how long, with which files and ports; start nothing" };
    private readonly Option<bool> _selfTest = new("--self-test")
    {
        Description =
            "no scenario: inject loss, duplicates, reordering, corruption and lateness below the accounting, and see that all are found; "
                + "records nothing"
    };
    private readonly IReadOnlyList<(string Target, Option<Uri?> Option)> _addresses =
    [
        .. from target in TargetList.WithAddress
           select (target.Name, new Option<Uri?>(target.AddressOption)
           {
               Description = target.AddressHelp,
               HelpName = "URL",
               CustomParser = Values.Address(target.AddressOption, "http"),
           }),
    ];

    private readonly LoginOptions _access = new();
    private readonly QueueOptions _queue = new();
    private readonly Option<string?> _sqsClient = SqsClients.Option($"by what the {PubSubTarget.Kind} server calls its queue");
    private readonly Option<decimal?> _price = new("--sqs-price")
    {
        Description =
            "dollars for a million requests to SQS: 0.40 with --sqs aws (us-east-1, 2026); with another queue: tell what the run would "
                + "cost on AWS",
        HelpName = "DOLLARS",
        CustomParser = Values.Price("--sqs-price")
    };
    private readonly Option<bool> _mayCost = new(CostConsent.Option)
    { Description = "needed with --sqs aws: the run says first how many requests and dollars it expects" };
    private readonly Option<string[]> _gates = GateOptions.Gates("what must hold for exit code 0");
    private readonly Option<string?> _baseline = GateOptions.Baseline();
    private readonly Option<string?> _junit = GateOptions.JUnit();
    private readonly Option<bool> _noLive = new("--no-live", "--plain")
    { Description = "plain lines instead of a live table, as when the output is no terminal" };

    public void AddTo(Command command)
    {
        command.Add(_scenario);
        Option[] options =
        [
            _quick, _set, _users, _iterations, _blocks, _arms, _aa, _arrival, _fault, _queueLatency, _pubsubNodes, _receipts, _noPin, _seed,
            _gates, _out, _label, _resume, _dryRun, _selfTest, .. _addresses.Select(one => one.Option), _sqsClient, _price, _mayCost,
            _baseline, _junit, _noLive,
        ];
        foreach (var option in options)
            command.Add(option);
        _access.AddTo(command);
        _queue.AddTo(
            command,
            "local: LocalSqs, started by the run, as when nothing is said; aws: Amazon SQS, which costs money",
            $"the queue's address, instead of starting LocalSqs; with --{PubSubTarget.Kind} only to prove the drain");
    }

    private static IReadOnlyList<Arm> KnownArms { get; } = [.. ScenarioKinds.All.SelectMany(kind => kind.Arms).Distinct()];

    // An instance of an arm that is a target with settings of its own would be no instance of the target.
    private static string[] Doubled => [.. KnownArms.Where(arm => arm.Name == arm.Target).Select(arm => arm.Name)];

    private IReadOnlyDictionary<string, Uri> AddressesIn(ParseResult parsed)
    {
        var given = _addresses.Where(one => parsed.GetValue(one.Option) is not null)
            .ToDictionary(one => one.Target, one => parsed.GetValue(one.Option)!);
        // Two requests without addresses are the same request.
        return given.Count == 0 ? new TargetOptions().Addresses : given;
    }

    public RunRequest Read(ParseResult parsed) => new()
    {
        Scenario = parsed.GetValue(_scenario),
        Changes = new ScenarioChanges
        {
            Quick = parsed.GetValue(_quick),
            Settings = parsed.GetValue(_set) is { Length: > 0 } settings ? settings : [],
            Users = parsed.GetValue(_users),
            Iterations = parsed.GetValue(_iterations),
            Blocks = parsed.GetValue(_blocks),
            Arms = parsed.GetValue(_arms),
            AgainstItself = parsed.GetValue(_aa),
            Arrival = parsed.GetValue(_arrival),
            Fault = parsed.GetValue(_fault),
            QueueLatency = parsed.GetValue(_queueLatency),
            PubSubNodes = parsed.GetValue(_pubsubNodes),
            Receipts = parsed.GetValue(_receipts),
            NoPin = parsed.GetValue(_noPin),
            Seed = parsed.GetValue(_seed),
            Gates = parsed.GetValue(_gates) ?? [],
        },
        Out = parsed.GetValue(_out),
        Label = parsed.GetValue(_label),
        Resume = parsed.GetValue(_resume),
        DryRun = parsed.GetValue(_dryRun),
        SelfTest = parsed.GetValue(_selfTest),
        Addresses = AddressesIn(parsed),
        Access = _access.Read(parsed),
        Queue = _queue.Read(parsed) with { SqsClient = SqsClients.Read(parsed, _sqsClient) ?? SqsClients.Default },
        NamesSqsClient = parsed.GetValue(_sqsClient) is not null,
        PricePerMillion = parsed.GetValue(_price),
        Baseline = parsed.GetValue(_baseline),
        JUnit = parsed.GetValue(_junit),
        MayCostMoney = parsed.GetValue(_mayCost),
        Plain = parsed.GetValue(_noLive),
    };
}
