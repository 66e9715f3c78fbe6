using System.Net;
using System.Text.Json;
using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Live;
using PubSubOverWs.Record;

namespace PubSubOverWs.EndToEndTests.LoadTest;

public sealed class LivePageTests : IAsyncLifetime, IDisposable
{
    private readonly HttpClient _client = new();
    private readonly TestFolder _folder = new();
    private LivePage _page = null!;

    public async Task InitializeAsync()
    {
        _page = await LivePage.StartAsync(0, TimeProvider.System, CancellationToken.None);
        _client.BaseAddress = _page.Address;
    }

    [Fact]
    public void It_listens_on_loopback_on_a_port_that_the_system_chose()
    {
        Assert.Equal("127.0.0.1", _page.Address.Host);
        Assert.InRange(_page.Address.Port, 1, 65535);
    }

    [Theory]
    [InlineData("/", "text/html; charset=utf-8")]
    [InlineData("/live.css", "text/css; charset=utf-8")]
    [InlineData("/live.js", "text/javascript; charset=utf-8")]
    public async Task Its_files_come_with_a_policy_that_allows_no_script_within_and_nothing_from_elsewhere(string path, string type)
    {
        using var answer = await _client.GetAsync(path);

        Assert.Equal((HttpStatusCode.OK, type), (answer.StatusCode, answer.Content.Headers.ContentType?.ToString()));
        var policy = Assert.Single(answer.Headers.GetValues("Content-Security-Policy"));
        Assert.Contains("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';", policy, StringComparison.Ordinal);
        Assert.DoesNotContain("unsafe", policy, StringComparison.Ordinal);
        Assert.Equal("nosniff", Assert.Single(answer.Headers.GetValues("X-Content-Type-Options")));
        Assert.Equal("no-store", answer.Headers.CacheControl?.ToString());
    }

    [Theory]
    [InlineData("POST")]
    [InlineData("PUT")]
    [InlineData("DELETE")]
    [InlineData("OPTIONS")]
    public async Task Only_GET_is_answered(string method)
    {
        using var request = new HttpRequestMessage(new HttpMethod(method), "/");
        using var answer = await _client.SendAsync(request);

        Assert.Equal(HttpStatusCode.MethodNotAllowed, answer.StatusCode);
    }

    [Theory]
    [InlineData("/report.html", HttpStatusCode.NotFound)] // Not made yet.
    [InlineData("/../report.md", HttpStatusCode.NotFound)]
    [InlineData("/drawn?page=x", HttpStatusCode.BadRequest)]
    public async Task Nothing_else_is_served(string path, HttpStatusCode status)
    {
        using var answer = await _client.GetAsync(path);

        Assert.Equal(status, answer.StatusCode);
    }

    [Fact]
    public async Task A_page_of_another_name_that_leads_here_is_refused()
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, "/");
        request.Headers.Host = "somewhere.example";
        using var answer = await _client.SendAsync(request);

        Assert.Equal(HttpStatusCode.Forbidden, answer.StatusCode);
    }

    [Fact]
    public async Task A_port_that_is_taken_is_refused_with_what_to_do()
    {
        var refusal = await Assert.ThrowsAsync<RefusalException>(
            () => LivePage.StartAsync(_page.Address.Port, TimeProvider.System, CancellationToken.None));

        Assert.Equal(ExitCode.BadUsage, refusal.ExitCode);
        Assert.Matches(
            $@"^The live page cannot listen on port {_page.Address.Port} of 127\.0\.0\.1 \(.*in use.*\): give --live another port, or none",
            refusal.Message);
    }

    [Fact]
    public async Task A_late_page_gets_all_that_an_early_one_got_and_while_a_trial_runs_none_gets_anything()
    {
        using var early = await EventsAsync();
        var seen = new List<JsonElement> { await NextAsync(early) };
        var (run, held) = (new ShownRun(iterations: 3), new List<Task<HttpResponseMessage>>());
        _page.Begin(ShownRun.About);
        seen.Add(await NextAsync(early));
        await _page.WhileAsync(async show =>
        {
            foreach (var progress in run.Progress())
            {
                show(progress);
                seen.Add(await NextAsync(early));
                await DrawnAsync(seen[^1]);
                await _page.BeforeTrialAsync(CancellationToken.None);
                // The trial: a request waits until it is over.
                held.Add(_client.GetAsync("/live.css"));
                await Waiting.GiveWayAsync(1000);
                Assert.False(held[^1].IsCompleted);
            }
        });
        foreach (var answer in await Task.WhenAll(held))
            answer.Dispose();
        _page.End(ExitCode.Success, _folder.Path, stays: true);
        seen.Add(await NextAsync(early));

        using var late = await EventsAsync();
        var whole = await NextAsync(late);

        Assert.True(whole.GetProperty("isWhole").GetBoolean());
        Assert.Equal(run.Rows.Select(row => row.Order), Orders(whole));
        Assert.Equal(Orders(whole), seen.SelectMany(Orders));
        Assert.Equal(seen[^1].GetProperty("version").GetInt64(), whole.GetProperty("version").GetInt64());
        Assert.Equal(4, whole.GetProperty("totals").GetArrayLength());
        Assert.StartsWith("The run has ended", whole.GetProperty("end").GetProperty("text").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_page_more_than_can_be_open_is_refused()
    {
        var open = new List<StreamReader>();
        for (var i = 0; i < Audience.MaxPages; i++)
            open.Add(await EventsAsync());

        using var answer = await _client.GetAsync("/events");

        Assert.Equal(HttpStatusCode.ServiceUnavailable, answer.StatusCode);
        open.ForEach(one => one.Dispose());
    }

    [Fact]
    public async Task The_report_is_served_once_the_run_has_ended_under_a_policy_of_its_own()
    {
        await File.WriteAllTextAsync(Path.Combine(_folder.Path, "report.html"), "<!DOCTYPE html><title>found</title>");
        _page.End(ExitCode.GateFailed, _folder.Path, stays: true);

        using var answer = await _client.GetAsync("/report.html");

        Assert.Contains("found", await answer.Content.ReadAsStringAsync(), StringComparison.Ordinal);
        var policy = Assert.Single(answer.Headers.GetValues("Content-Security-Policy"));
        Assert.DoesNotContain("script-src", policy, StringComparison.Ordinal);
        Assert.StartsWith("default-src 'none';", policy, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_run_that_fails_tells_its_pages_and_then_nothing_listens()
    {
        using var events = await EventsAsync();
        await NextAsync(events);

        var disposing = _page.DisposeAsync().AsTask();
        var end = await NextAsync(events);
        await DrawnAsync(end);
        await disposing;

        Assert.Equal((false, false), (
            end.GetProperty("end").GetProperty("hasReport").GetBoolean(), end.GetProperty("end").GetProperty("stays").GetBoolean()));
        Assert.Null(await events.ReadLineAsync());
        await Assert.ThrowsAnyAsync<HttpRequestException>(() => _client.GetAsync("/"));
    }

    [Fact]
    public async Task It_stays_until_the_program_is_stopped()
    {
        using var stop = new CancellationTokenSource();
        var staying = _page.StayAsync(stop.Token);
        using (var answer = await _client.GetAsync("/"))
            Assert.Equal((HttpStatusCode.OK, false), (answer.StatusCode, staying.IsCompleted));

        await stop.CancelAsync();

        await staying;
    }

    public async Task DisposeAsync() => await _page.DisposeAsync();

    public void Dispose()
    {
        _client.Dispose();
        _folder.Dispose();
    }

    private async Task<StreamReader> EventsAsync() => new(await _client.GetStreamAsync("/events"));

    private async Task DrawnAsync(JsonElement update)
    {
        using var answer = await _client.GetAsync($"/drawn?page={update.GetProperty("page")}&version={update.GetProperty("version")}");
        Assert.Equal(HttpStatusCode.NoContent, answer.StatusCode);
    }

    private static async Task<JsonElement> NextAsync(StreamReader events)
    {
        var line = await events.ReadLineAsync();
        Assert.StartsWith("data: ", line, StringComparison.Ordinal);
        Assert.Equal("", await events.ReadLineAsync());
        return JsonDocument.Parse(line!["data: ".Length..]).RootElement;
    }

    private static IEnumerable<int> Orders(JsonElement update) =>
        update.GetProperty("trials").EnumerateArray().Select(trial => trial.GetProperty("order").GetInt32());
}
