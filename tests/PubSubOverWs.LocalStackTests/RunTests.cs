using PubSubOverWs.EndToEndTests.LoadTest;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Formats;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LocalStackTests;

/// <summary>Runs whose queue is on the server.</summary>
[Collection(nameof(OneServer))]
public sealed class RunTests(QueueServer server) : IDisposable
{
    private readonly TestFolder _folder = new();

    [RunTheory]
    [InlineData(SqsClientKind.Http)]
    [InlineData(SqsClientKind.AwsSdk)]
    public Task The_paper_runs_and_the_queue_loses_nothing(SqsClientKind client) =>
        RunAsync(client, "paper", "--users", "50", "--iterations", "2", "--blocks", "1");

    [RunTheory]
    [InlineData(SqsClientKind.Http)]
    [InlineData(SqsClientKind.AwsSdk)]
    public Task Smoke_runs_and_its_gates_hold(SqsClientKind client) =>
        RunAsync(client, "smoke", "--gate", "pubsub.loss == 0", "--gate", "pubsub.guarantee-loss == 0", "--receipts");

    public void Dispose() => _folder.Dispose();

    private async Task RunAsync(SqsClientKind client, params string[] arguments)
    {
        using var program = LoadTestProcess.Start(
            _folder.Path,
            ["run", .. arguments, "--out", "record", "--sqs-endpoint", server.Endpoint.Address.ToString(), "--sqs-client",
                Kebab.Text(client)]);
        var run = await program.EndAsync();

        // Another code where a gate does not hold.
        Assert.True(run.ExitCode == 0, run.Output + run.Error);
        var record = RecordReader.Read(_folder.Record);
        Assert.True(record.Run.Complete);
        Assert.Equal(Kebab.Text(client), record.Run.SetUp.SqsClient);
        Assert.All(record.Rows.Where(row => row.Arm == Relays.PubSub), row =>
        {
            Assert.Equal((row.Users, DrainState.Proven), (row.Buckets.Delivered + row.Buckets.Late, row.DrainState));
            Assert.True(row.Queue!.Value.Calls.Send > 0);
        });
        Assert.Contains(record.Events, one => one.Kind == "queue-deleted");
        Assert.Empty(_folder.ProcessesLeft());
    }
}
