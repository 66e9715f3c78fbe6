using System.Text.Json;

namespace PubSubOverWs.EndToEndTests.LoadTest;

[Collection(nameof(Machine))]
[Trait("Category", "Long")]
public sealed class BenchTests : IDisposable
{
    private readonly TestFolder _folder = new();

    [Fact]
    public async Task Every_message_of_a_small_bench_comes_back_and_every_figure_is_there()
    {
        var end = await LoadTestProcess.RunAsync(
            _folder.Path, "bench", "--connections", "4", "--depth", "2", "--seconds", "1", "--pairs", "1", "--queue-messages", "100",
            "--out", "figures.json");

        Assert.True(end.ExitCode == 0, end.Output + end.Error);
        using var figures = JsonDocument.Parse(await File.ReadAllBytesAsync(Path.Combine(_folder.Path, "figures.json")));
        var root = figures.RootElement;
        var legs = root.GetProperty("relay").GetProperty("legs").EnumerateArray().Append(root.GetProperty("pubSub")).ToList();
        Assert.Equal(["direct", "null-echo", "pubsub"], legs.Select(leg => leg.GetProperty("server").GetString()));
        Assert.All(legs, leg => Assert.Equal(0, leg.GetProperty("missing").GetInt32()));
        Assert.All(legs, leg => Assert.InRange(leg.GetProperty("messages").GetInt64(), 1, long.MaxValue));
        Assert.InRange(root.GetProperty("relay").GetProperty("medianRatio").GetDouble(), 0.01, 100);
        var queue = root.GetProperty("queue");
        Assert.Equal(
            ["localsqs aws-sdk", "localsqs http"],
            queue.GetProperty("legs").EnumerateArray()
                .Select(leg => $"{leg.GetProperty("server").GetString()} {leg.GetProperty("client").GetString()}"));
        Assert.All(queue.GetProperty("legs").EnumerateArray(),
            leg => Assert.True(leg.GetProperty("paced").GetProperty("p50").GetDouble() > 0));
        Assert.Equal((4, 1_000), (queue.GetProperty("idlePolls").GetInt32(), queue.GetProperty("queued").GetInt32()));
        Assert.InRange(queue.GetProperty("queuedResidentBytes").GetInt64(), 1 << 20, 1L << 30);
        Assert.All(
            root.GetProperty("idle").GetProperty("servers").EnumerateArray(),
            server => Assert.Equal(4, server.GetProperty("connections").GetInt32()));
    }

    [Theory]
    [InlineData("framework")]
    [InlineData("lean")]
    public async Task Two_hundred_clients_get_all_beside_twenty_that_misbehave_in_every_way(string frontEnd)
    {
        var end = await LoadTestProcess.RunAsync(
            _folder.Path, "bench", "misbehaving", "--misbehaviour", "all", "--connections", "200", "--misbehaving", "20",
            "--rate", "500", "--seconds", "6", "--front-end", frontEnd, "--pairs", "1", "--out", "figures.json");

        // So short it may be either.
        Assert.True(end.ExitCode == (end.Output.Contains("NOT held", StringComparison.Ordinal) ? 2 : 0), end.Output + end.Error);
        using var figures = JsonDocument.Parse(await File.ReadAllBytesAsync(Path.Combine(_folder.Path, "figures.json")));
        var servers = figures.RootElement.GetProperty("misbehaving").EnumerateArray().ToList();
        Assert.Equal(["direct", "pubsub"], servers.Select(server => server.GetProperty("server").GetString()));
        Assert.All(servers, server =>
        {
            var pair = Assert.Single(server.GetProperty("pairs").EnumerateArray());
            Assert.Equal("all", pair.GetProperty("what").GetString());
            // 2,700 messages to one consumer and 300 to a topic's twenty subscribers.
            Assert.All([pair.GetProperty("without"), pair.GetProperty("beside")], leg => Assert.Equal(
                (8_700, 0), (leg.GetProperty("copies").GetInt32(), leg.GetProperty("missing").GetInt32())));
            Assert.InRange(
                pair.GetProperty("memoryBoundBytes").GetInt64(), pair.GetProperty("peakResidentBytes").GetInt64(), long.MaxValue);
        });
    }

    public void Dispose() => _folder.Dispose();
}
