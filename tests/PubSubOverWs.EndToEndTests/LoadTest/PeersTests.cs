using PubSubOverWs.LoadTest.Experiments.Misbehaving;
using PubSubOverWs.LoadTest.Experiments.Peers;
using PubSubOverWs.Record.Files;

namespace PubSubOverWs.EndToEndTests.LoadTest;

[Collection(nameof(Machine))]
[Trait("Category", "Long")]
public sealed class PeersTests : IDisposable
{
    private readonly TestFolder _folder = new();

    [Theory]
    [InlineData("cpu,connects,idle-cpu,idle-memory", "direct,direct+lean,echo")]
    [InlineData("cpu-together", "direct,direct+lean,echo", "secure=true")]
    [InlineData("start,saturated", "pubsub,pubsub+lean,pubsub+single")]
    [InlineData("fan-out", "direct,direct+lean")]
    [InlineData("queue", "localsqs,localsqs+sdk")]
    public async Task Every_arm_has_a_figure_of_every_row_and_loses_no_connection(string rows, string arms, string setting = "depth=2")
    {
        var run = await LoadTestProcess.RunAsync(
            _folder.Path, "run", "peers", "--quick", "--arms", arms, "--set", $"rows={rows}", "--set", "busyConnections=4", "--set",
            "idleConnections=50", "--set", "topicSubscribers=10", "--set", "queueMessages=1000", "--set", setting, "--out", "record");

        Assert.True(run.ExitCode == 0, run.Output + run.Error);
        var record = RecordReader.Read(_folder.Record);
        Assert.Equal(rows.Split(',').Length * arms.Split(',').Length, record.Rows.Count);
        Assert.All(record.Rows, row =>
        {
            Assert.Equal(row.Buckets.Attempts, row.Buckets.Delivered);
            // So little memory and CPU time may be less than nothing.
            Assert.NotNull(row.Measures[PeersScenario.Figure.Name]);
        });
        await _folder.ValidateAsync();
    }

    [Theory]
    [InlineData("direct,pubsub")]
    [InlineData("direct+lean,pubsub+lean")]
    public async Task Two_hundred_clients_get_all_beside_twenty_that_misbehave_in_every_way(string arms)
    {
        var run = await LoadTestProcess.RunAsync(
            _folder.Path, "run", "misbehaving", "--quick", "--arms", arms, "--set", "ways=all", "--set", "for=6s", "--out", "record");

        // On a machine that does other work as well messages may be sent late, which makes a run invalid.
        Assert.True(run.ExitCode is 0 or 2, run.Output + run.Error);
        var record = RecordReader.Read(_folder.Record);
        Assert.All(record.Rows, row =>
        {
            Assert.Equal((34_800, 34_800), (row.Buckets.Attempts, row.Buckets.Delivered));
            Assert.InRange(
                row.Measures[MisbehavingScenario.MemoryBound.Name]!.Value, row.Measures[MisbehavingScenario.Peak.Name]!.Value,
                double.MaxValue);
            Assert.NotNull(row.Measures[MisbehavingScenario.Ratio.Name]);
        });
        await _folder.ValidateAsync();
    }

    public void Dispose() => _folder.Dispose();
}
