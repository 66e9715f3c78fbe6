using System.Text.Json;
using PubSubOverWs.EndToEndTests.LoadTest;
using PubSubOverWs.EndToEndTests.Node;
using PubSubOverWs.EndToEndTests.Relay;
using PubSubOverWs.Experiment.Accounting;
using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.LoadTest.Processes;
using PubSubOverWs.LoadTest.Targets.Relay;
using PubSubOverWs.LoadTest.Targets.Sqs;

namespace PubSubOverWs.EndToEndTests.Page;

/// <summary>The page in a browser, at both servers. The tests start and kill the servers themselves.</summary>
public sealed class PageTests : IAsyncLifetime
{
    private readonly TestFolder _folder = new();
    private ChildServer _queue = null!;

    public async Task InitializeAsync() =>
        _queue = await ChildServer.StartAsync(SqsPrograms.LocalSqs.Command(), new ChildOptions(), CancellationToken.None);

    [BrowserTheory]
    [Trait("Category", "Long")]
    [InlineData("direct", "Framework")]
    [InlineData("pubsub", "Framework")]
    [InlineData("direct", "Lean")]
    public async Task A_user_of_the_page_connects_publishes_receives_and_acknowledges(string server, string frontEnd)
    {
        await TestAsync("page/use.test.mjs", Command(server, "--Relay:FrontEnd", frontEnd));

        var samples = RecordReader.ReadSamples(
            _folder.Path, server, 1, [new Flow("message", "publisher", "subscriber", LatencyFrom.Due)]).ToArray();
        Assert.Equal((200, 200), (samples.Length, samples.Count(sample => sample.Outcome == Outcome.Delivered)));
        Assert.All(samples, sample => Assert.True(sample.Due <= sample.Sent && sample.Sent < sample.Received));
    }

    [BrowserTheory]
    [Trait("Category", "Long")]
    [InlineData("direct")]
    [InlineData("pubsub")]
    public Task A_page_that_is_left_open_over_a_restart_of_the_server_knows_what_became_of_its_messages(string server) =>
        TestAsync("page/restart.test.mjs", Command(server));

    [BrowserFact]
    public async Task A_server_with_users_has_the_page_ask_for_the_login()
    {
        using var files = await AccessFiles.CreateAsync();
        await TestAsync(
            "page/login.test.mjs", DirectTarget.Program.Command(files.Settings), ("LOGIN", "alice"), ("PASSCODE", AccessFiles.Passcode));
    }

    [BrowserFact]
    [Trait("Category", "Long")]
    public Task The_page_is_accessible_at_both_widths_in_dark_and_in_light() => TestAsync("page/access.test.mjs", Command("direct"));

    [BrowserFact]
    [Trait("Category", "Long")]
    public Task A_page_that_gets_a_hundred_messages_a_second_for_a_minute_stays_responsive_and_does_not_grow() =>
        TestAsync("page/load.test.mjs", Command("direct"));

    public async Task DisposeAsync()
    {
        await _queue.DisposeAsync();
        _folder.Dispose();
    }

    // What a killed server had received is hidden for 3 s, so that it comes again soon.
    private ChildCommand Command(string server, params string[] settings) => server == "direct"
        ? DirectTarget.Program.Command(settings)
        : OnLocalSqs.PubSub(_queue.Address, ["--Sqs:VisibilityTimeout", "00:00:03", .. settings]);

    private Task TestAsync(string tests, ChildCommand server, params (string Name, string Value)[] environment)
    {
        var samples = Directory.CreateDirectory(Path.Combine(_folder.Path, "samples")).FullName;
        var command = JsonSerializer.Serialize(new
        {
            program = DotnetHost.Path,
            folder = Path.GetDirectoryName(server.Assembly),
            arguments = (string[])["exec", server.Assembly, .. server.Arguments, "--child"],
            environment = server.Environment ?? new Dictionary<string, string>(),
        });
        return NodeProject.TestAsync(
            tests, [("CHROMIUM", Browser.Program!), ("SAMPLES", samples), ("SERVER", command), ("NAME", server.Name), .. environment]);
    }
}
