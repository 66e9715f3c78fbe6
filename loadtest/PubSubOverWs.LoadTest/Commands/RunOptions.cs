using System.CommandLine;
using System.CommandLine.Completions;
using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Machine;
using PubSubOverWs.LoadTest.Harness.Runs;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workers;
using PubSubOverWs.LoadTest.Harness.Workers.Joining;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary>The options of <c>run</c>: each declared, explained and read here.</summary>
public sealed class RunOptions
{
    private readonly Argument<string?> _scenario = new("SCENARIO")
    {
        Arity = ArgumentArity.ZeroOrOne,
        Description = $"{string.Join(", ", ScenarioFiles.Names)}, or the path of a .json file; none with --resume and --self-test",
    };

    private readonly Option<bool> _quick = new("--quick")
    { Description = "the smaller form of the scenario: fewer levels, one block, no claim of reproduction" };
    private readonly Option<string[]> _set = new("--set")
    {
        Description = "sets a key of the scenario, such as deadline=2s or users=10,100; may be repeated",
        HelpName = "KEY=VALUE",
    };

    // Options that are named after a key of the scenario.
    private readonly IReadOnlyList<(string Key, KeyGroup Group, Option<string?> Option)> _keys =
    [
        .. from key in ScenarioKinds.All.SelectMany(kind => kind.Keys).DistinctBy(key => key.Name)
           let option = key.Option
           where option is not null
           select (key.Name, option.Group, new Option<string?>($"--{JsonNamingPolicy.KebabCaseLower.ConvertName(key.Name)}")
           {
               Description = option.Help,
               HelpName = option.Form,
               CompletionSources = { option.Words.ToArray() },
           }),
        ("arms", KeyGroup.Arms, new("--arms")
        {
            Description = $"arms to measure, separated by commas; {ThisProgram.Name} run SCENARIO --help says which a scenario has",
            HelpName = "ARM,..",
        }),
    ];

    private readonly Option<int?> _iterations = new("--iterations")
    {
        Description = "measured iterations per arm and level, dealt over the blocks",
        HelpName = "N",
        CustomParser = Values.Count("--iterations", 1),
    };

    private readonly Option<int?> _blocks = new("--blocks")
    {
        Description = "blocks; servers and queue are started again for each",
        HelpName = "B",
        CustomParser = Values.Count("--blocks", 1),
    };

    private readonly Option<string?> _aa = new Option<string?>("--aa")
    {
        Description =
            "A/A run: compares two separately started instances of one server, which gives the noise floor: "
                + string.Join(" or ", Doubled),
        HelpName = "ARM",
    }.OneOf(Doubled);

    private readonly Option<bool> _receipts = new("--receipts")
    { Description = "request a receipt for every SEND, so that guarantee loss is defined" };
    private readonly Option<bool> _noPin = new("--no-pin") { Description = "do not pin server and load to separate cores" };
    private readonly Option<string?> _client = new Option<string?>(RunRules.ClientOption)
    {
        Description =
            "own, the default: clients of this program; browser: up to 200 users of the paper in one page of Chromium, which must be "
                + "installed",
        HelpName = "own|browser",
    }.OneOf([.. Enum.GetValues<ClientKind>().Select(Kebab.Text)]);
    private readonly Option<int?> _seed = new("--seed")
    {
        Description = "seed of the order of the arms, of the times of faults, and of the faults of a self-test",
        HelpName = "N",
        CustomParser = Values.Count("--seed", 0)
    };
    private readonly Option<string?> _out = new("--out")
    { Description = "folder of the record; default: results/SCENARIO/TIME in the working folder", HelpName = "DIR" };
    private readonly Option<string?> _label = new("--label")
    { Description = "suffix of the default folder's name; default with --fault: the name of the profile", HelpName = "WORD" };
    private readonly Option<string?> _resume = new("--resume")
    { Description = "resume an interrupted run; the interrupted block is run again", HelpName = "DIR" };
    private readonly Option<bool> _dryRun = new("--dry-run")
    { Description = "show the plan with its duration, files and ports; start nothing" };
    private readonly Option<bool> _selfTest = new("--self-test")
    {
        Description =
            "no scenario: inject loss, duplicates, reordering, corruption and delays below the accounting, and check that all are found; "
                + "records nothing"
    };
    private readonly IReadOnlyList<(string Target, Option<Uri?> Option)> _addresses =
    [
        .. from target in TargetList.WithAddress
           select (target.Name, new Option<Uri?>(target.AddressOption)
           {
               Description = target.AddressHelp,
               HelpName = "URL",
               CustomParser = Values.ServerAddress(target.AddressOption),
           }),
    ];

    private readonly ElsewhereOptions _elsewhere = new();
    private readonly LoginOptions _access = new();
    private readonly QueueOptions _queue = new();
    private readonly Option<string?> _sqsClient = SqsClients.Option($"SQS client of the {PubSubTarget.Kind} server");
    private readonly Option<decimal?> _price = new("--sqs-price")
    {
        Description =
            "dollars for a million requests to SQS; default with --sqs aws: 0.40 (us-east-1, 2026); with another queue: show what the run "
                + "would cost on AWS",
        HelpName = "DOLLARS",
        CustomParser = Values.Price("--sqs-price")
    };
    private readonly Option<bool> _mayCost = new(CostConsent.Option)
    { Description = "required with --sqs aws; the run first shows the requests and dollars it expects" };
    private readonly Option<string[]> _gates = GateOptions.Gates("condition for exit code 0");
    private readonly Option<string?> _baseline = GateOptions.Baseline();
    private readonly Option<string?> _junit = GateOptions.JUnit();
    private readonly Option<bool> _json = JsonOption.Create("the plan of --dry-run as JSON");
    private readonly Option<bool> _noLive = new("--no-live", "--plain")
    { Description = "plain lines instead of a live table, as without a terminal" };
    private readonly Option<IPEndPoint?> _joinAt = new(JoinOptions.At)
    {
        Description =
            $"have the clients in load processes that join here, as many as --workers says (1): {WorkerProgram.Command} on other machines; "
                + $"with {JoinToken.Option}",
        HelpName = "ADDRESS:PORT",
        CustomParser = Values.EndPoint(JoinOptions.At),
    };
    private readonly Option<string?> _token = JoinCommand.TokenOption();
    private readonly Option<TimeSpan?> _joinWithin = new(JoinOptions.Within)
    {
        Description = "how long they are waited for, such as 90s; default: 10m",
        HelpName = "TIME",
        CustomParser = Values.Age(JoinOptions.Within),
    };
    private readonly Option<int?> _live = new("--live")
    {
        Description =
            "serve a page that shows the run in a browser of this machine, on this port of 127.0.0.1, by default a free one; on a terminal "
                + "it stays until Ctrl-C",
        HelpName = "PORT",
        Arity = ArgumentArity.ZeroOrOne,
        CustomParser = Values.Port("--live"),
    };

    internal void AddTo(GroupedCommand command)
    {
        // The second value of --users 50 100 is taken for the scenario if there is none.
        _scenario.Validators.Add(result =>
        {
            if (result.Tokens is [{ Value: [>= '0' and <= '9', ..] word }] && !word.EndsWith(".json", StringComparison.Ordinal))
                result.AddError($"'{word}' is not a scenario: write several values of one option as one list, as in --users 50,100.");
        });
        // With completions help would show them in the place of the argument's name.
        _scenario.HelpName = _scenario.Name;
        _scenario.CompletionSources.Add(_ => ScenarioFiles.Names.Select(name => new CompletionItem(name)));
        command.Add(_scenario);
        command.More = AboutScenario;
        command.Add(
            "Load",
            [
                _quick, _set, .. Of(KeyGroup.Load), _joinAt, _token, _joinWithin, _iterations, _blocks, _receipts, _client, _noPin, _seed,
            ]);
        command.Add(
            "Arms", [.. Of(KeyGroup.Arms), _aa, .. _addresses.Select(one => one.Option), .. _elsewhere.Options, .. _access.Options]);
        command.Add("Faults", [.. Of(KeyGroup.Faults), _selfTest]);
        var queue = _queue.Describe(
            "local, the default: LocalSqs, started by the run; aws: Amazon SQS, which costs money",
            $"address of a queue server to use instead of LocalSqs; with --{PubSubTarget.Kind} only to prove the drain");
        command.Add("Queue", [.. Of(KeyGroup.Queue), .. queue, _sqsClient, _price, _mayCost]);
        command.Add("Output", [_out, _label, _resume, _dryRun, _json, _gates, _baseline, _junit, _noLive, _live]);
    }

    private IEnumerable<Option> Of(KeyGroup group) => _keys.Where(one => one.Group == group).Select(one => one.Option);

    // A file of the user's own is not read for its help: running it says what is wrong with it.
    private IEnumerable<string> AboutScenario(ParseResult parsed)
    {
        if (parsed.GetValue(_scenario) is not { } name || !ScenarioFiles.Names.Contains(name))
            return [];
        var scenario = ScenarioFiles.Load(name);
        var written = JsonSerializer.SerializeToElement(scenario, ScenarioJson.Options);
        return
        [
            "",
            $"Arms of {name}:",
            .. scenario.Kind.Arms.Select(arm => $"  {arm,-20}{arm.About}".TrimEnd()),
            "",
            $"Keys of {name}, for --set:",
            .. scenario.Kind.Keys.Select(key =>
                $"  {key.Name,-20}{(written.TryGetProperty(key.Name, out var value) ? value.GetRawText() : "")}".TrimEnd()),
        ];
    }

    // An arm with settings of its own is not a plain instance of its target.
    private static string[] Doubled =>
    [
        .. ScenarioKinds.All.SelectMany(kind => kind.Arms).Where(arm => arm.Name == arm.Target).Select(arm => arm.Name).Distinct()
            .Where(name => TargetList.All.Any(target => target.Name == name && target.IsStartedByRuns)),
    ];

    // Options of keys come after --set, so that they win. One empty array for all: records compare it by reference.
    private string[] SettingsIn(ParseResult parsed)
    {
        string[] settings =
        [
            .. parsed.GetValue(_set) ?? [],
            .. from one in _keys where parsed.GetValue(one.Option) is not null select $"{one.Key}={parsed.GetValue(one.Option)}",
        ];
        return settings.Length == 0 ? [] : settings;
    }

    private IReadOnlyDictionary<string, Uri> AddressesIn(ParseResult parsed)
    {
        var given = _addresses.Where(one => parsed.GetValue(one.Option) is not null)
            .ToDictionary(one => one.Target, one => parsed.GetValue(one.Option)!);
        // One empty dictionary for all: records compare it by reference.
        return given.Count == 0 ? new TargetOptions().Addresses : given;
    }

    private JoinOptions? JoinIn(ParseResult parsed)
    {
        var (at, token, within) = (parsed.GetValue(_joinAt), parsed.GetValue(_token), parsed.GetValue(_joinWithin));
        RefusalException.ThrowUnless(
            at is null == token is null, $"{JoinOptions.At} and {JoinToken.Option} go together: give both or neither.");
        RefusalException.ThrowUnless(
            within is null || at is not null, $"{JoinOptions.Within} has no effect without {JoinOptions.At}: omit it.");
        return at is null ? null : new JoinOptions(at, token!, within ?? JoinOptions.DefaultPatience);
    }

    public RunRequest Read(ParseResult parsed) => new()
    {
        Scenario = parsed.GetValue(_scenario),
        Changes = new ScenarioChanges
        {
            Quick = parsed.GetValue(_quick),
            Settings = SettingsIn(parsed),
            Iterations = parsed.GetValue(_iterations),
            Blocks = parsed.GetValue(_blocks),
            AgainstItself = parsed.GetValue(_aa),
            Receipts = parsed.GetValue(_receipts),
            NoPin = parsed.GetValue(_noPin),
            Seed = parsed.GetValue(_seed),
            Gates = parsed.GetValue(_gates) ?? [],
            Elsewhere = _elsewhere.NamesIn(parsed),
        },
        Out = parsed.GetValue(_out),
        Label = parsed.GetValue(_label),
        Resume = parsed.GetValue(_resume),
        Client = Kebab.TryParse<ClientKind>(parsed.GetValue(_client) ?? "", out var client) ? client : ClientKind.Own,
        DryRun = parsed.GetValue(_dryRun),
        Json = parsed.GetValue(_json),
        SelfTest = parsed.GetValue(_selfTest),
        Addresses = AddressesIn(parsed),
        Elsewhere = _elsewhere.AddressesIn(parsed),
        ProcessesElsewhere = _elsewhere.ProcessesIn(parsed),
        Access = _access.Read(parsed),
        Queue = _queue.Read(parsed) with { SqsClient = SqsClients.Read(parsed, _sqsClient) ?? SqsClients.Default },
        NamesSqsClient = parsed.GetValue(_sqsClient) is not null,
        PricePerMillion = parsed.GetValue(_price),
        Baseline = parsed.GetValue(_baseline),
        JUnit = parsed.GetValue(_junit),
        MayCostMoney = parsed.GetValue(_mayCost),
        Plain = parsed.GetValue(_noLive),
        Join = JoinIn(parsed),
        Live = parsed.GetResult(_live) is null or { Implicit: true } ? null : parsed.GetValue(_live) ?? 0,
    };
}

/// <summary><c>run SCENARIO</c>: the only command that writes a record; the others read records.</summary>
public static class RunCommand
{
    public static Command Create(Terminal terminal)
    {
        var options = new RunOptions();
        var command = new GroupedCommand("run", "Run a scenario: start the servers, drive them, record every message, make the report.");
        options.AddTo(command);
        command.SetAction(async (parsed, stopping) => (int)await RunSession.RunAsync(options.Read(parsed), terminal, stopping));
        return command;
    }
}

/// <summary>
/// <c>doctor [SCENARIO]</c>: checks this machine, and servers that should already be running, for a run with the same options, and says how
/// to fix what it finds.
/// </summary>
public static class DoctorCommand
{
    private const string Default = "paper";

    public static Command Create(Terminal terminal)
    {
        var options = new RunOptions();
        var command = new GroupedCommand(
            "doctor", $"Check this machine for a run with the same options, and show how to fix it; default: {Default}.");
        options.AddTo(command);
        command.SetAction(async (parsed, stopping) => (int)await ExamineAsync(options.Read(parsed), terminal, stopping));
        return command;
    }

    private static async Task<ExitCode> ExamineAsync(RunRequest request, Terminal terminal, CancellationToken stopping)
    {
        RefusalException.ThrowUnless(!request.SelfTest, "'doctor' takes no --self-test: use doctor smoke, whose needs are the same.");
        request = request with { Scenario = request.Scenario ?? (request.Resume is null ? Default : null) };
        // Like a dry run, it starts nothing.
        RunRules.Check(request with { DryRun = true });
        var job = RunJobs.Make(request, Environment.CurrentDirectory, terminal.Time.GetUtcNow());
        var scenario = job.Scenario.Name;
        var findings = await Preflight.ExamineAsync(job, holdsLock: false, stopping);
        if (!request.Json)
            foreach (var finding in findings)
                await terminal.Output.WriteLineAsync(finding.Line);

        // Its sentence is the last one, and its exit code says whether to wait or to correct something.
        await Preflight.CheckTargetsAsync(job, terminal.Time, stopping);
        var refused = findings.Any(finding => finding.Level == CheckLevel.Refusal);
        if (request.Json)
            await terminal.Output.WriteAsync(DocumentJson.Write(ExaminationDocument.From(scenario, findings)));
        else
            await terminal.Output.WriteLineAsync(
                refused ? $"This machine cannot run '{scenario}' as it is." : $"This machine can run '{scenario}'.");
        return refused ? ExitCode.BadUsage : ExitCode.Success;
    }
}
