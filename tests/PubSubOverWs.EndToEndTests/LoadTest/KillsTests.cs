using System.Text.Json;

namespace PubSubOverWs.EndToEndTests.LoadTest;

[Trait("Category", "Long")]
public sealed class KillsTests : IDisposable
{
    private readonly TestFolder _folder = new();

    [Fact]
    public async Task A_server_that_is_killed_again_and_again_loses_nothing_that_it_acknowledged()
    {
        var end = await LoadTestProcess.RunAsync(
            _folder.Path, "kills", "--messages", "2000", "--kills", "3", "--every", "2s", "--out", "kills.json");

        Assert.True(end.ExitCode == 0, end.Output + end.Error);
        Assert.Contains(
            "2000 acknowledged, 2000 delivered, 0 acknowledged and lost, 0 unexpected, 0 corrupted", end.Output, StringComparison.Ordinal);
        Assert.Contains("queue: drained, 0 dead-lettered", end.Output, StringComparison.Ordinal);
        using var figures = JsonDocument.Parse(await File.ReadAllTextAsync(Path.Combine(_folder.Path, "kills.json")));
        long Of(string name) => figures.RootElement.GetProperty(name).GetInt64();
        Assert.Equal((3, 2000, 0), (Of("killed"), Of("delivered"), Of("lostAcknowledged")));
        Assert.InRange(Of("duplicates"), 0, 3 * (1_000 + (4 * 50)));
        Assert.Equal(Of("arrivals"), Of("delivered") + Of("duplicatesRedelivered") + Of("duplicatesPublishedAgain"));
    }

    public void Dispose() => _folder.Dispose();
}
