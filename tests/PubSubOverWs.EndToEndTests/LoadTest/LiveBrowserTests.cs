using System.Globalization;
using System.Text.Json;
using PubSubOverWs.EndToEndTests.Node;
using PubSubOverWs.LoadTest.Harness.Live;
using PubSubOverWs.Record;
using PubSubOverWs.Record.Files;

namespace PubSubOverWs.EndToEndTests.LoadTest;

/// <summary>The live page in a browser.</summary>
[Collection(nameof(Machine))]
public sealed class LiveBrowserTests : IDisposable
{
    private readonly TestFolder _folder = new();

    [FactNeeds(Needed.Browser)]
    [Trait("Category", "Long")]
    public Task A_run_that_has_ended_is_shown_whole_to_everyone_at_both_widths_and_asks_nothing_of_others() => ShowAsync();

    [FactNeeds(Needed.Browser)]
    [Trait("Category", "Long")]
    public Task The_page_never_takes_long_to_draw() => ShowAsync(("TIMED", "yes"));

    private async Task ShowAsync(params (string Name, string Value)[] environment)
    {
        await using var page = await LivePage.StartAsync(0, TimeProvider.System, CancellationToken.None);
        // As many trials as are kept, and some more.
        var run = new ShownRun(iterations: (LiveState.MaxKept / 4) + 2);
        page.Begin(ShownRun.About);
        await page.WhileAsync(show =>
        {
            foreach (var progress in run.Progress())
                show(progress);
            return Task.CompletedTask;
        });
        await File.WriteAllTextAsync(
            Path.Combine(_folder.Path, "report.html"),
            "<!DOCTYPE html><html lang=\"en\"><head><link rel=\"icon\" href=\"data:,\"><title>The report</title></head></html>");
        page.End(ExitCode.Success, _folder.Path, stays: true);

        await NodeProject.TestAsync(
            "live.test.mjs",
            [
                ("CHROMIUM", Needs.Browser),
                ("PAGE", page.Address.AbsoluteUri),
                ("TRIALS", Text(LiveState.MaxKept)),
                ("TOTALS", "4"),
                ("LAST", Text(run.Rows.Count)),
                .. environment,
            ]);
    }

    [FactNeeds(Needed.Browser)]
    [Trait("Category", "Long")]
    public async Task A_page_that_is_open_during_a_run_follows_it_and_draws_only_between_trials()
    {
        using var run = LoadTestProcess.Start(
            _folder.Path, "run", "smoke", "--users", "5,30", "--iterations", "10", "--live", "--out", "record");
        var line = await run.UntilLineAsync("live ");
        var address = line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[1];
        Assert.EndsWith(" until the run ends", line, StringComparison.Ordinal);
        var (drawn, trials) = (Path.Combine(_folder.Path, "drawn.json"), 48);

        await NodeProject.TestAsync(
            "live-run.test.mjs",
            ("CHROMIUM", Needs.Browser),
            ("PAGE", address),
            ("TRIALS", Text(trials)),
            ("FOLDER", _folder.Record),
            ("DRAWN", drawn));
        var end = await run.EndAsync();

        Assert.True(end.ExitCode == 0, end.Output + end.Error);
        var record = RecordReader.Read(_folder.Record);
        Assert.Equal(trials, record.Rows.Count);
        var moments = JsonSerializer.Deserialize<double[]>(await File.ReadAllTextAsync(drawn))!
            .Select(moment => DateTimeOffset.UnixEpoch.AddMilliseconds(moment) - record.Run.Started).ToArray();
        Assert.All(record.Rows, row => Assert.DoesNotContain(
            moments, moment => moment > row.Start + Skew && moment < row.Start + row.Connect + row.Burst + row.Drain - Skew));
    }

    public void Dispose() => _folder.Dispose();

    // Between the clock of the record, which only increases, and that of the browser.
    private static TimeSpan Skew { get; } = TimeSpan.FromMilliseconds(3);

    private static string Text(int value) => value.ToString(CultureInfo.InvariantCulture);
}
