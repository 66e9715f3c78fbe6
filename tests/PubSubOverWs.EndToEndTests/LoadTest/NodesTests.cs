using System.Text.RegularExpressions;

namespace PubSubOverWs.EndToEndTests.LoadTest;

[Trait("Category", "Long")]
public sealed partial class NodesTests : IDisposable
{
    private readonly TestFolder _folder = new();

    [Fact]
    public async Task Three_servers_lose_nothing_among_them_though_one_is_killed()
    {
        var end = await LoadTestProcess.RunAsync(_folder.Path, "nodes", "--subscribers", "12", "--messages", "300");

        Assert.True(end.ExitCode == 0, end.Output + end.Error);
        Assert.Contains(
            "topic: 3 servers, 12 subscribers, 300 messages taken: 12 subscribers got every one; 0 missing", end.Output,
            StringComparison.Ordinal);
        var queues = Queues().Match(end.Output);
        Assert.True(queues.Success, end.Output);
        Assert.Equal(
            ("300", "300", "300", "0"),
            (queues.Groups["acknowledged"].Value, queues.Groups["delivered"].Value, queues.Groups["byId"].Value,
                queues.Groups["unexpected"].Value));
    }

    [Theory]
    [InlineData("pause")]
    [InlineData("sns-cut")]
    public async Task A_server_that_is_away_for_a_while_costs_nobody_a_message(string fault)
    {
        var end = await LoadTestProcess.RunAsync(
            _folder.Path, "nodes", "--fault", fault, "--fault-for", "5s", "--subscribers", "9", "--messages", "200");

        Assert.True(end.ExitCode == 0, end.Output + end.Error);
        Assert.Contains(
            "topic: 200 of 200 messages taken, 9 subscribers, 0 of them disconnected: 1800 copies arrived; 0 missing and told, 0 missing "
                + "without a word", end.Output, StringComparison.Ordinal);
        Assert.Contains("queues: 200 of 200 messages acknowledged: 200 delivered at least once", end.Output, StringComparison.Ordinal);
    }

    public void Dispose() => _folder.Dispose();

    [GeneratedRegex(
        @"half-way, (?<acknowledged>\d+) messages acknowledged .*: (?<delivered>\d+) delivered at least once; .* (?<byId>\d+) by id, "
            + @"(?<unexpected>\d+) unexpected")]
    private static partial Regex Queues();
}
