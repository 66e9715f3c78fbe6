using System.Text.Json;
using PubSubOverWs.EndToEndTests.LoadTest;
using PubSubOverWs.EndToEndTests.Node;
using PubSubOverWs.EndToEndTests.Relay;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Scenarios;

namespace PubSubOverWs.EndToEndTests.Page;

/// <summary>The page in a browser, at both servers.</summary>
[Collection(nameof(Machine))]
public sealed class PageTests : IAsyncLifetime
{
    private PageScripts _scripts = null!;

    public async Task InitializeAsync() => _scripts = await PageScripts.StartAsync();

    [TheoryNeeds(Needed.Browser)]
    [Trait("Category", "Long")]
    [InlineData("direct", "Framework")]
    [InlineData("pubsub", "Framework")]
    [InlineData("direct", "Lean")]
    public async Task A_user_of_the_page_connects_publishes_receives_and_acknowledges(string server, string frontEnd)
    {
        await _scripts.TestAsync("page/use.test.mjs", _scripts.Command(server, "--Relay:FrontEnd", frontEnd));

        var samples = SampleFile.Read(_scripts.Folder, [new Flow("message", "publisher", "subscriber", LatencyFrom.Due)])
            .Where(sample => sample.Arm == server).Select(sample => sample.Attempt).ToArray();
        Assert.Equal((200, 200), (samples.Length, samples.Count(sample => sample.Outcome == Outcome.Delivered)));
        Assert.All(samples, sample => Assert.True(sample.Due <= sample.Sent && sample.Sent < sample.Received));
    }

    [TheoryNeeds(Needed.Browser)]
    [Trait("Category", "Long")]
    [InlineData("direct")]
    [InlineData("pubsub")]
    public Task A_page_that_is_left_open_over_a_restart_of_the_server_knows_what_became_of_its_messages(string server) =>
        _scripts.TestAsync("page/restart.test.mjs", _scripts.Command(server));

    [FactNeeds(Needed.Browser)]
    public async Task A_server_with_users_has_the_page_ask_for_the_login()
    {
        var files = new AccessFiles();
        await files.InitializeAsync();
        await _scripts.TestAsync(
            "page/login.test.mjs", DirectTarget.Program.Command(files.Settings), ("LOGIN", "alice"), ("PASSCODE", AccessFiles.Passcode));
        await files.DisposeAsync();
    }

    [FactNeeds(Needed.Browser)]
    [Trait("Category", "Long")]
    public Task The_page_is_accessible_at_both_widths_in_dark_and_in_light() =>
        _scripts.TestAsync("page/access.test.mjs", _scripts.Command("direct"));

    [FactNeeds(Needed.Browser)]
    [Trait("Category", "Long")]
    public Task A_page_that_gets_a_hundred_messages_a_second_for_a_minute_stays_responsive_and_does_not_grow() =>
        _scripts.TestAsync("page/load.test.mjs", _scripts.Command("direct"));

    public async Task DisposeAsync() => await _scripts.DisposeAsync();
}

/// <summary>Tests of the page that are scripts: they start and kill the server themselves.</summary>
internal sealed class PageScripts : IAsyncDisposable
{
    private readonly TestFolder _folder = new();
    private readonly ChildServer _queue;

    private PageScripts(ChildServer queue) => _queue = queue;

    /// <summary>Where scripts write.</summary>
    public string Folder => _folder.Path;

    public static async Task<PageScripts> StartAsync() =>
        new(await TestServers.QueueAsync());

    public async ValueTask DisposeAsync()
    {
        await _queue.DisposeAsync();
        _folder.Dispose();
    }

    /// <param name="server"><c>direct</c> or <c>pubsub</c>.</param>
    // What a killed server had received is hidden for 3 s, so that it comes again soon.
    public ChildCommand Command(string server, params string[] settings) => server == "direct"
        ? DirectTarget.Program.Command(settings)
        : TestServers.PubSub(_queue.Address, ["--Queue:VisibilityTimeout", "00:00:03", .. settings]);

    public Task TestAsync(string script, ChildCommand server, params (string Name, string Value)[] environment)
    {
        var command = JsonSerializer.Serialize(new
        {
            program = DotnetHost.Path,
            folder = Path.GetDirectoryName(server.Assembly),
            arguments = (string[])["exec", server.Assembly, .. server.Arguments, "--child"],
            environment = server.Environment ?? new Dictionary<string, string>(),
        });
        return NodeProject.TestAsync(
            script, [("CHROMIUM", Needs.Browser), ("SAMPLES", Folder), ("SERVER", command), ("NAME", server.Name), .. environment]);
    }
}
