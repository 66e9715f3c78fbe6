using System.IO.Compression;
using PubSubOverWs.LoadTest.Experiments.Nodes;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Tests.LoadTest.Commands;
using PubSubOverWs.Tests.Record;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Nodes;

/// <summary>A record of three messages to a topic with two subscribers and three to queues, each on its own flow.</summary>
public sealed class NodesRecordTests : IDisposable
{
    private static readonly NodesScenario Scenario = new()
    {
        Name = "nodes",
        Arms = [NodeArms.All[0]],
        FaultFor = [4],
        Messages = 3,
        TopicSubscribers = 2,
        Queues = 1,
        Deadline = TimeSpan.FromSeconds(30),
        Iterations = 1,
        Blocks = 1,
        WarmUps = 0,
    };

    private readonly TemporaryFolder _folder = new();

    [Fact]
    public async Task A_written_record_is_valid()
    {
        Write(Seen);

        var terminal = new TestTerminal();
        Assert.Equal((0, ""), (await terminal.RunAsync("validate", _folder.Path), terminal.Error));
        Assert.Equal(
            ["undisturbed,1,topic", "undisturbed,1,queue"],
            File.ReadAllLines(RecordFiles.Flows(_folder.Path))[1..].Select(line => string.Join(',', line.Split(',')[..3])));
    }

    [Fact]
    public async Task A_message_to_a_queue_on_the_topics_flow_in_flows_csv_is_refused()
    {
        Write([.. Seen[..^1], Seen[^1] with { Flow = 0 }]);

        await AssertRefusedAsync("flows.csv has 7 attempts, and its users have 6 messages (flow topic)");
    }

    [Fact]
    public async Task A_message_to_a_queue_on_the_topics_flow_in_the_samples_is_refused()
    {
        Write(Seen);
        var path = RecordFiles.Samples(_folder.Path);
        string[] lines = [.. await ReadAsync(path)];
        lines[^1] = lines[^1].Replace(",queue,", ",topic,", StringComparison.Ordinal);
        using (var zip = new GZipStream(File.Create(path), CompressionLevel.Fastest))
        using (var text = new StreamWriter(zip))
            await text.WriteAsync(string.Concat(lines.Select(line => line + "\n")));

        await AssertRefusedAsync("samples.csv.gz does not add up to undisturbed, iteration 1, in flows.csv");
    }

    [Fact]
    public async Task Stats_of_no_server_do_not_give_the_drops_of_a_row()
    {
        Write(Seen, drops: new ServerDrops(0, 0, 0));

        await AssertRefusedAsync("stats.jsonl does not give the bytes, calls or drops of undisturbed, iteration 1, in iterations.csv");
    }

    [Fact]
    public void A_row_is_not_written_with_samples_of_other_flows() => Assert.Throws<ArgumentException>(
        () => Write(Seen, [.. Seen[..^1], Seen[^1] with { Flow = 0 }]));

    public void Dispose() => _folder.Dispose();

    private static Observation[] Seen { get; } =
    [
        .. Enumerable.Range(0, 6).Select(i => One($"t-{i / 2}", i % 2, flow: 0)),
        .. Enumerable.Range(0, 3).Select(i => One($"q-{i}", 0, flow: 1)),
    ];

    private static Observation One(string id, int recipient, int flow) => new(
        id, 0, recipient, TimeSpan.Zero, TimeSpan.Zero, TimeSpan.FromMilliseconds(1), Taken: true, TimeSpan.FromMilliseconds(2), Cause.None)
    { Flow = flow };

    private static async Task<IReadOnlyList<string>> ReadAsync(string path)
    {
        using var text = new StreamReader(new GZipStream(File.OpenRead(path), CompressionMode.Decompress));
        return (await text.ReadToEndAsync()).TrimEnd('\n').Split('\n');
    }

    private void Write(Observation[] seen, Observation[]? samples = null, ServerDrops? drops = null)
    {
        var attempts = Accountant.Classify(seen, Scenario.Deadline, default);
        var flows = FlowAccount.From(Scenario.Flows, Scenario.Deadline, seen, attempts);
        using var writer = RecordWriter.Create(_folder.Path, Some.RunOf(Scenario));
        writer.Add(new EventRow(TimeSpan.Zero, "started", "pubsub-1", ""));
        var row = Some.Row("undisturbed", 4, block: 1, iteration: 1) with
        {
            Level = Scenario.Levels[0],
            Connections = Scenario.UsersAt(Scenario.Levels[0]),
            Drops = drops,
            ClientBytes = null,
            Queue = null,
            Flows = new FlowRows(flows.Select(flow => flow.Row(default))),
            Measures = Scenario.Measures.ToDictionary(measure => measure.Name, _ => (double?)0),
        };
        writer.Add(row, samples is null ? attempts : Accountant.Classify(samples, Scenario.Deadline, default), []);
    }

    private async Task AssertRefusedAsync(string why)
    {
        var terminal = new TestTerminal();

        Assert.Equal(5, await terminal.RunAsync("validate", _folder.Path));
        Assert.Contains(why, terminal.Error, StringComparison.Ordinal);
    }
}
