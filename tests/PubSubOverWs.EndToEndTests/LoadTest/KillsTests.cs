using PubSubOverWs.Record.Files;

namespace PubSubOverWs.EndToEndTests.LoadTest;

[Collection(nameof(Machine))]
[Trait("Category", "Long")]
public sealed class KillsTests : IDisposable
{
    private const int MaxInFlight = 100;

    private readonly TestFolder _folder = new();

    [Fact]
    public async Task A_server_that_is_killed_again_and_again_delivers_everything_with_no_more_duplicates_than_the_kills_explain()
    {
        var end = await LoadTestProcess.RunAsync(
            _folder.Path, "run", "kills", "--quick", "--out", "record", "--arms", "pubsub", "--users", "20", "--set", "messages=100",
            "--set", "arrival=spread:8s", "--set", "fault={\"profile\":\"restart\",\"times\":3,\"down\":\"1s\"}", "--set",
            $"maxInFlight={MaxInFlight}");

        Assert.True(end.ExitCode == 0, end.Output + end.Error);
        var record = RecordReader.Read(_folder.Record);
        var row = Assert.Single(record.Rows);
        Assert.Equal((2_000, 2_000, 0), (row.Buckets.Acknowledged, row.Buckets.Delivered, row.Buckets.LostAcknowledged));
        Assert.Equal((0, 0, DrainState.Proven), (row.Anomalies.Unexpected, row.Anomalies.Corrupted, row.DrainState));
        var fault = FaultRow.Find(row)!;
        Assert.Equal(3, fault.FaultActions);
        Assert.InRange(row.Anomalies.Duplicates, 0, (3 * MaxInFlight) + fault.Republished);
    }

    public void Dispose() => _folder.Dispose();
}
