using System.Text.Json;

namespace PubSubOverWs.EndToEndTests.LoadTest;

[Collection(nameof(Machine))]
[Trait("Category", "Long")]
public sealed class PeersTests : IDisposable
{
    private readonly TestFolder _folder = new();

    [Fact]
    public async Task One_pair_has_a_figure_of_each_server_that_is_here_and_says_how_to_get_the_others()
    {
        var end = await LoadTestProcess.RunAsync(
            _folder.Path, "bench", "peers", "--rows", "cpu", "--pairs", "1", "--for", "1", "--out", "peers.json", "--markdown", "peers.md");

        Assert.True(end.ExitCode == 0, end.Output + end.Error);
        Assert.StartsWith("peers: 1 pair, legs of 1 s, about 2 min", end.Output, StringComparison.Ordinal);
        using var report = JsonDocument.Parse(await File.ReadAllBytesAsync(Path.Combine(_folder.Path, "peers.json")));
        var servers = report.RootElement.GetProperty("servers").EnumerateArray()
            .ToDictionary(server => server.GetProperty("name").GetString()!, server => server.GetProperty("missing").GetString());
        var row = Assert.Single(report.RootElement.GetProperty("rows").EnumerateArray());
        Assert.Empty(row.GetProperty("failed").EnumerateObject());
        var values = row.GetProperty("values").EnumerateArray().ToList();
        Assert.Equal(
            servers.Where(server => server.Value is null).Select(server => server.Key),
            values.Select(value => value.GetProperty("server").GetString()!));
        Assert.All(values, value => Assert.InRange(value.GetProperty("value").GetDouble(), 0.1, 1_000));
        Assert.All(["framework", "lean", "kestrel-echo"], ours => Assert.Null(servers[ours]));
        Assert.All(servers.Values.OfType<string>(), missing =>
        {
            Assert.StartsWith("not here: apt-get install ", missing, StringComparison.Ordinal);
            Assert.Contains(missing, end.Output, StringComparison.Ordinal);
        });
        Assert.Contains(
            "| row | server | mean | framework / it | lean / it |", await File.ReadAllLinesAsync(Path.Combine(_folder.Path, "peers.md")));
    }

    [Fact]
    public async Task With_tls_and_a_user_there_is_a_figure_of_each_server_that_has_both()
    {
        var end = await LoadTestProcess.RunAsync(
            _folder.Path, "bench", "peers", "--secure", "--rows", "cpu-together", "--quick", "--out", "peers.json");

        Assert.True(end.ExitCode == 0, end.Output + end.Error);
        using var report = JsonDocument.Parse(await File.ReadAllBytesAsync(Path.Combine(_folder.Path, "peers.json")));
        Assert.True(report.RootElement.GetProperty("plan").GetProperty("secure").GetBoolean());
        var row = Assert.Single(report.RootElement.GetProperty("rows").EnumerateArray());
        Assert.Empty(row.GetProperty("failed").EnumerateObject());
        var measured = row.GetProperty("values").EnumerateArray().Select(value => value.GetProperty("server").GetString()!).ToList();
        Assert.Equal(["framework", "lean", "kestrel-echo"], measured.Take(3));
        Assert.DoesNotContain("mosquitto", measured);
    }

    public void Dispose() => _folder.Dispose();
}
