namespace PubSubOverWs.Record.Files;

/// <summary>run.json: the scenario, the set-up and the machine. docs/run.schema.json describes the file.</summary>
public sealed record RunRecord
{
    /// <summary>The version of the record that this program writes and reads.</summary>
    public const int Version = 3;

    public int Record { get; init; } = Version;

    /// <summary>Given by the user; part of the folder's name.</summary>
    public string? Label { get; init; }

    /// <summary>UTC; every other time of the record counts from here or from an iteration's start.</summary>
    public required DateTimeOffset Started { get; init; }

    /// <summary>UTC; null while the run goes on, or when it was killed.</summary>
    public DateTimeOffset? Ended { get; init; }

    /// <summary>False: the run was interrupted, or is still going on.</summary>
    public bool Complete { get; init; }

    public int Resumed { get; init; }

    /// <summary>As resolved: every default filled in, every option applied.</summary>
    public required Scenario Scenario { get; init; }

    /// <summary>
    /// The name of the scenario's experiment; with those below what follows from the scenario, for readers that do not know the experiment.
    /// </summary>
    public string Experiment => Scenario.Kind.Name;

    public IReadOnlyList<Arm> Arms => Scenario.Arms;

    public IReadOnlyList<Factor> Factors => Scenario.Factors;

    public IReadOnlyList<Flow> Flows => Scenario.Flows;

    public IReadOnlyList<Measure> Measures => Scenario.Measures;

    /// <summary>False: attempts are too many to be kept one by one, and there is no samples.csv.gz.</summary>
    public bool KeepsSamples => Scenario.Kind.KeepsSamples;

    /// <summary>
    /// As it stood when the run was started. Null, and not written: nothing was predicted.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public RegisteredPrediction? Prediction { get; init; }

    public required SetUp SetUp { get; init; }

    public required MachineRecord Machine { get; init; }

    /// <summary>
    /// The expected cost of the queue, and the requests to it; null: the queue is free, or no cost was requested.
    /// </summary>
    public QueueBill? Bill { get; init; }

    public RunChecks Checks { get; init; } = new();

    /// <summary>The plan: what runs after what.</summary>
    public required IReadOnlyList<PlannedIteration> Order { get; init; }
}

/// <summary>The checks only the runner can make while it runs; the others are made from the rows. True: nothing was found.</summary>
/// <param name="ClockMonotonic">No reading of the clock was before the one before it.</param>
/// <param name="QueueAlive">The queue's process lived all along; null: the run did not start one.</param>
/// <param name="ServersAlive">No server that the run started ended by itself.</param>
public sealed record RunChecks(bool ClockMonotonic = true, bool? QueueAlive = null, bool ServersAlive = true);

/// <summary>The systems under test and their settings.</summary>
public sealed record SetUp
{
    /// <summary>
    /// True: the run started the servers, and afresh for each block. False: they were already there, and all is one block.
    /// </summary>
    public required bool OwnServers { get; init; }

    public required bool SharedMachine { get; init; }

    /// <summary>For example <c>LocalSqs (in memory, a process of this run)</c> or <c>SQS, eu-west-1</c>.</summary>
    public required string Queue { get; init; }

    /// <summary>
    /// By what the pubsub servers that the run started called their queue: <c>aws-sdk</c> or <c>http</c>. Null: the run started none, or it
    /// was made before this was recorded, when all used <c>http</c>.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? SqsClient { get; init; }

    public ClientKind Client { get; init; }

    /// <summary>The browser that had the clients. Null, and not written: none, or it has not started yet.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public BrowserRecord? Browser { get; init; }

    /// <summary>The servers' settings that were not left alone, secrets masked: name and value.</summary>
    public IReadOnlyDictionary<string, string> Settings { get; init; } = new SortedDictionary<string, string>();

    /// <summary>The cores of each process as read back, not as ordered. Empty: nothing was pinned.</summary>
    public IReadOnlyList<PinnedProcess> Pinned { get; init; } = [];

    /// <summary>Why nothing was pinned although the scenario wanted it; null: it was, or was not wanted.</summary>
    public string? NotPinnedBecause { get; init; }
}

/// <summary>What has the clients of a load.</summary>
public enum ClientKind
{
    /// <summary>The load runner, with a client of its own.</summary>
    Own,

    /// <summary>One page of a browser, which also stamps sends and arrivals.</summary>
    Browser,
}

/// <summary>A browser, as its page sees it.</summary>
/// <param name="Version">Of Chromium.</param>
/// <param name="ClockUs">The smallest step of the page's clock, which stamps sends, receipts and arrivals, in microseconds.</param>
public sealed record BrowserRecord(string Version, double ClockUs);

/// <summary>A process and the cores that all of its threads may run on.</summary>
/// <param name="Process">For example <c>direct</c>, <c>queue</c>, <c>load</c>.</param>
/// <param name="Cores">As the system lists them: <c>0</c>, <c>1-3</c>.</param>
public sealed record PinnedProcess(string Process, string Cores);

/// <summary>Properties of the machine that affect results. Nothing identifies the machine or its user.</summary>
public sealed record MachineRecord
{
    /// <summary>The source's commit; null: it is not known.</summary>
    public string? Commit { get; init; }

    public required string Os { get; init; }

    public required string Architecture { get; init; }

    public required string Cpu { get; init; }

    public required int Cores { get; init; }

    public required long MemoryBytes { get; init; }

    /// <summary>For example <c>.NET 10.0.2</c>.</summary>
    public required string Runtime { get; init; }

    /// <summary>For example <c>server, concurrent</c>.</summary>
    public required string CollectorMode { get; init; }

    /// <summary>The system's limits that matter: name and value, for example <c>open files</c>.</summary>
    public IReadOnlyDictionary<string, string> Limits { get; init; } = new SortedDictionary<string, string>();

    public IReadOnlyDictionary<string, string> Versions { get; init; } = new SortedDictionary<string, string>();
}

/// <summary>The expected cost of requests to Amazon SQS, and the number of requests made.</summary>
public sealed record QueueBill
{
    /// <summary>Dollars for a million requests.</summary>
    public required decimal PricePerMillion { get; init; }

    /// <summary>Requests, when every call carries ten messages.</summary>
    public required long ExpectedAtLeast { get; init; }

    /// <summary>Requests, when every call carries one.</summary>
    public required long ExpectedAtMost { get; init; }

    /// <summary>
    /// Calls of server and load runner, as they counted themselves at the end of each block: retries included; without what a server did
    /// while it ended, and without that of a server that died. Null: no block has ended.
    /// </summary>
    public long? Made { get; init; }

    public decimal Dollars(long requests) => requests * PricePerMillion / 1_000_000;
}

/// <summary>The prediction for a run under a fault, in the words of the program that started it.</summary>
/// <param name="Expectations">Its lines, by which it was to be judged.</param>
public sealed record RegisteredPrediction(string Text, IReadOnlyList<string> Expectations)
{
    /// <summary>How the judged prediction differs from it; null: not at all.</summary>
    public string? DiffersFrom(RegisteredPrediction now)
    {
        string[] added = [.. now.Expectations.Except(Expectations)], gone = [.. Expectations.Except(now.Expectations)];
        return (added.Length, gone.Length) switch
        {
            (0, 0) => now.Text == Text ? null : "The program that makes this report has a different text, and the same lines.",
            _ =>
                "The program that makes this report judges differently: "
                    + $"{string.Join("; ", gone.Select(line => $"not by \"{line}\"").Concat(added.Select(line => $"by \"{line}\"")))}.",
        };
    }
}

/// <summary>The plan of a resumed run.</summary>
/// <param name="Whole">The plan that run.json gets: finished blocks, then what remains.</param>
/// <param name="Remaining">The remaining steps; empty if the run was complete.</param>
public sealed record ResumedPlan(IReadOnlyList<PlannedIteration> Whole, IReadOnlyList<PlannedIteration> Remaining)
{
    /// <summary>The blocks that run again; their old rows are to be superseded.</summary>
    public IReadOnlySet<int> Blocks => Remaining.Select(step => step.Block).ToHashSet();

    /// <summary>
    /// The plan of a run that was cut: finished blocks stay; the others come again whole, from their warm-up, with iteration ids above
    /// all that were used, because the rows and samples of the cut block stay.
    /// </summary>
    public static ResumedPlan From(Scenario scenario, IReadOnlyList<PlannedIteration> plan, IReadOnlyList<IterationRow> rows)
    {
        var done = rows.Where(row => !row.Superseded).Select(row => (row.Iteration, row.Arm)).ToHashSet();
        var next = plan.Select(step => step.Iteration).Concat(rows.Select(row => row.Iteration)).DefaultIfEmpty(0).Max() + 1;
        var cut = WarmUpRule.Planned(scenario, plan, rows).Where(one => !done.Contains((one.Step.Iteration, one.Arm)))
            .Select(one => one.Step.Block).ToHashSet();
        var finished = plan.Where(step => !cut.Contains(step.Block));
        IReadOnlyList<PlannedIteration> remaining =
            [.. plan.Where(step => cut.Contains(step.Block)).Select(step => step with { Iteration = next++ })];
        return new ResumedPlan([.. finished, .. remaining], remaining);
    }
}
