namespace PubSubOverWs.EndToEndTests.LoadTest;

[Collection(nameof(Machine))]
[Trait("Category", "Long")]
public sealed class SelfTestTests : IDisposable
{
    private readonly TestFolder _folder = new();

    [Fact]
    public async Task All_that_is_injected_into_both_servers_is_found_and_nothing_is_recorded()
    {
        var run = await LoadTestProcess.RunAsync(_folder.Path, "run", "--self-test", "--seed", "7");

        Assert.True(run.ExitCode == 0, run.Output + run.Error);
        Assert.Contains("Self-test passed", run.Output, StringComparison.Ordinal);
        var rows = run.Output.Split(
            '\n').Select(line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))
            .Where(cells => cells.Length == 5 && cells.Skip(1).All(cell => int.TryParse(cell, out _)))
            .ToDictionary(cells => cells[0], cells => cells.Skip(1).Select(int.Parse).ToArray());
        Assert.All(rows.Values, counts => Assert.Equal((counts[0], counts[2]), (counts[1], counts[3])));
        Assert.All(
            ["delivered", "late", "refused", "lostAcknowledged", "lostUnacknowledged", "duplicates", "reorderings", "unexpected",
                "corrupted"],
            kind => Assert.True(rows[kind][0] > 0 && rows[kind][2] > 0, run.Output));
        Assert.Empty(Directory.EnumerateDirectories(_folder.Path));
    }

    public void Dispose() => _folder.Dispose();
}
