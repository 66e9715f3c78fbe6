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
        Assert.Contains("topic: 3 servers, 12 subscribers, 300 messages taken: 12 subscribers got every one; 0 missing", end.Output, StringComparison.Ordinal);
        var queues = Queues().Match(end.Output);
        Assert.True(queues.Success, end.Output);
        Assert.Equal(("300", "300", "300", "0"), (queues.Groups["acknowledged"].Value, queues.Groups["delivered"].Value, queues.Groups["byId"].Value, queues.Groups["unexpected"].Value));
    }

    public void Dispose() => _folder.Dispose();

    [GeneratedRegex(@"half-way, (?<acknowledged>\d+) messages acknowledged .*: (?<delivered>\d+) delivered at least once; .* (?<byId>\d+) by id, (?<unexpected>\d+) unexpected")]
    private static partial Regex Queues();
}
