using PubSubOverWs.EndToEndTests.LoadTest;
using PubSubOverWs.EndToEndTests.Node;
using PubSubOverWs.EndToEndTests.Relay;
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

    [BrowserTheory]
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

    [BrowserTheory]
    [Trait("Category", "Long")]
    [InlineData("direct")]
    [InlineData("pubsub")]
    public Task A_page_that_is_left_open_over_a_restart_of_the_server_knows_what_became_of_its_messages(string server) =>
        _scripts.TestAsync("page/restart.test.mjs", _scripts.Command(server));

    [BrowserFact]
    public async Task A_server_with_users_has_the_page_ask_for_the_login()
    {
        using var files = await AccessFiles.CreateAsync();
        await _scripts.TestAsync(
            "page/login.test.mjs", DirectTarget.Program.Command(files.Settings), ("LOGIN", "alice"), ("PASSCODE", AccessFiles.Passcode));
    }

    [BrowserFact]
    [Trait("Category", "Long")]
    public Task The_page_is_accessible_at_both_widths_in_dark_and_in_light() =>
        _scripts.TestAsync("page/access.test.mjs", _scripts.Command("direct"));

    [BrowserFact]
    [Trait("Category", "Long")]
    public async Task A_page_that_gets_a_hundred_messages_a_second_for_a_minute_stays_responsive_and_does_not_grow()
    {
        await _scripts.TestAsync("page/load.test.mjs", _scripts.Command("direct"));
    }

    public async Task DisposeAsync() => await _scripts.DisposeAsync();
}
