using PubSubOverWs.LoadTest.Commands;
using PubSubOverWs.Tests.Record;

namespace PubSubOverWs.Tests.LoadTest.Commands;

public sealed class OpenCommandTests : IDisposable
{
    private readonly TestTerminal _terminal = new();
    private readonly TemporaryFolder _folder = new();

    [Fact]
    public async Task The_report_that_was_made_last_is_shown_in_the_browser()
    {
        Keep("paper/a", day: 3);
        var latest = Keep("paper/b", day: 5);
        Keep("faults/c", day: 4);
        var shown = new List<string>();

        Assert.Equal(0, await OpenAsync(address =>
        {
            shown.Add(address);
            return null;
        }));

        Assert.Equal([new Uri(latest).AbsoluteUri], shown);
        Assert.Equal(["report", latest, shown[0]], Words());
    }

    [Fact]
    public async Task Without_a_browser_path_and_address_are_there_to_be_opened_by_hand()
    {
        var page = Keep("paper/a", day: 3);

        Assert.Equal(5, await OpenAsync(_ => "none is installed"));

        Assert.Equal(["report", page, new Uri(page).AbsoluteUri], Words());
        Assert.Equal(
            $"No browser was started (none is installed): open the report by its path or address.{Environment.NewLine}", _terminal.Error);
    }

    [Fact]
    public async Task A_folder_without_a_report_says_how_to_get_one()
    {
        Assert.Equal(5, await OpenAsync(_ => null));
        Assert.StartsWith($"There is no report.html in {_folder.Path}: ", _terminal.Error, StringComparison.Ordinal);
    }

    public void Dispose() => _folder.Dispose();

    private string[] Words() => _terminal.Output.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries);

    private Task<int> OpenAsync(Func<string, string?> browse) => CommandLine.RunAsync(
        ["open", _folder.Path], [OpenCommand.Create(_terminal.Terminal with { Browse = (address, _) => browse(address) })],
        _terminal.Terminal,
        CancellationToken.None);

    private string Keep(string folder, int day)
    {
        var page = Path.Combine([_folder.Path, .. folder.Split('/'), "report.html"]);
        Directory.CreateDirectory(Path.GetDirectoryName(page)!);
        File.WriteAllText(page, "");
        File.SetLastWriteTimeUtc(page, new DateTime(2026, 1, day, 0, 0, 0, DateTimeKind.Utc));
        return page;
    }
}
