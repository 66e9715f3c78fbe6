using System.Diagnostics;
using System.Globalization;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Report.Claims;

namespace PubSubOverWs.EndToEndTests.LoadTest;

/// <summary>Runs whose clients are in a page of a browser.</summary>
[Collection(nameof(Machine))]
public sealed class BrowserRunTests : IDisposable
{
    private static readonly string[] Paper = ["run", "paper", "--client", "browser", "--blocks", "1", "--out", "record"];

    private readonly TestFolder _folder = new();

    [FactNeeds(Needed.Chromium)]
    [Trait("Category", "Long")]
    public async Task A_page_is_the_client_of_every_arm_and_its_messages_are_accounted_for_like_any_others()
    {
        var run = await LoadTestProcess.RunAsync(
            _folder.Path, [.. Paper, "--users", "5,50", "--iterations", "2", "--receipts", "--gate", "pubsub.guarantee-loss == 0"]);

        Assert.True(run.ExitCode == 0, run.Output + run.Error);
        Assert.Contains("\nclients    all in one page of a Chromium\n", run.Output);
        var record = RecordReader.Read(_folder.Record);
        Assert.True(Validity.IsValid(record));
        var setUp = record.Run.SetUp;
        Assert.Equal(ClientKind.Browser, setUp.Client);
        // Of a page that is isolated from others; without that it would be 100 us.
        Assert.InRange(setUp.Browser!.ClockUs, 1, 10);
        Assert.Matches(@"^\d+(\.\d+)+$", setUp.Browser.Version);
        Assert.Equal(
            ["direct", "floor", "pubsub"], record.Rows.Select(row => row.Arm).Distinct().Order(StringComparer.Ordinal));
        Assert.All(record.Rows, row =>
        {
            Assert.Equal((row.Users, row.Users), (row.Buckets.Delivered, row.Connections));
            Assert.Equal(default, row.Anomalies);
            Assert.True(row.Burst >= row.Latency.Max / 1_000_000 * TimeSpan.FromSeconds(1) && row.Cpu.Load > TimeSpan.Zero);
        });
        Assert.All(record.Rows.Where(row => row.Arm != "floor"), row => Assert.Equal(row.Users, row.Buckets.Acknowledged));
        var report = await File.ReadAllTextAsync(Path.Combine(_folder.Record, "report.md"));
        Assert.Contains($"All users were connections of one page in Chromium {setUp.Browser.Version}, with a clock of ", report);
        Assert.Empty(_folder.ProcessesLeft());
        Assert.Empty(ProfilesLeft);
        await _folder.ValidateAsync();
    }

    [FactNeeds(Needed.Chromium)]
    [Trait("Category", "Long")]
    public async Task Messages_that_are_spread_over_time_are_sent_when_they_are_due()
    {
        var run = await LoadTestProcess.RunAsync(
            _folder.Path,
            [.. Paper, "--arms", Relays.Direct, "--users", "20", "--iterations", "1", "--arrival", "spread:1s", "--set", "messages=10"]);

        var record = _folder.RecordOf(run);
        Assert.All(record.Rows, row => Assert.Equal(200, row.Buckets.Delivered));
        Assert.All(record.Rows, row => Assert.True(row.Burst >= TimeSpan.FromMilliseconds(995)));
    }

    [FactNeeds(Needed.Chromium)]
    [Trait("Category", "Long")]
    public async Task A_run_that_is_killed_leaves_neither_a_browser_nor_its_profile()
    {
        Process browser, shell;
        using (var run = LoadTestProcess.Start(_folder.Path, [.. Paper, "--users", "5", "--iterations", "100"]))
        {
            // Not every number has a line.
            while (!int.TryParse((await run.NextLineAsync()).Split('/')[0], out var done) || done < 10)
            {
            }

            browser = Process.GetProcessById(_folder.ProcessOf("browser"));
            shell = Process.GetProcessById(ParentOf(browser));
            Assert.Single(ProfilesLeft);
            await run.KillAsync();
        }

        await browser.WaitForExitAsync();
        await shell.WaitForExitAsync();
        Assert.Empty(ProfilesLeft);
    }

    [FactNeeds(Needed.Linux)]
    public async Task Without_a_Chromium_the_run_and_doctor_say_so_before_anything_is_started()
    {
        string[] without = ["env", $"PATH={_folder.Path}"];
        using var program = LoadTestProcess.StartBehind(without, _folder.Path, [.. Paper, "--users", "50"]);
        var run = await program.EndAsync();
        using var examined = LoadTestProcess.StartBehind(without, _folder.Path, "doctor", "paper", "--users", "50", "--client", "browser");
        var doctor = await examined.EndAsync();

        Assert.True(run.ExitCode == 5, run.Output + run.Error);
        Assert.StartsWith("This machine cannot run this: browser: there is no Chromium on the PATH; install it ", run.Error);
        Assert.False(Directory.Exists(_folder.Record));
        Assert.Equal(5, doctor.ExitCode);
        Assert.Contains("FAIL  browser     there is no Chromium on the PATH", doctor.Output);
    }

    public void Dispose() => _folder.Dispose();

    private static int ParentOf(Process process) => int.Parse(
        File.ReadAllText($"/proc/{process.Id}/stat").Split(") ")[^1].Split(' ')[1], CultureInfo.InvariantCulture);

    // Profiles are in the temporary directory of the run.
    private string[] ProfilesLeft => Directory.GetDirectories(_folder.Path, "pubsub-over-ws-*");
}
