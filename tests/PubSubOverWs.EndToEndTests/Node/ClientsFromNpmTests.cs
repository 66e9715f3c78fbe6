using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.EndToEndTests.Node;

/// <summary>Clients of other projects, on both servers, with both front ends, and on LocalSqs.</summary>
public sealed class ClientsFromNpmTests(SharedServers servers) : IClassFixture<SharedServers>
{
    [TheoryNeeds(Needed.Node)]
    [InlineData("direct", "stomp.test.mjs")]
    [InlineData("pubsub", "stomp.test.mjs")]
    [InlineData("direct", "plain.test.mjs")]
    [InlineData("pubsub", "plain.test.mjs")]
    [InlineData("direct", "raw.test.mjs")]
    [InlineData("pubsub", "raw.test.mjs")]
    [InlineData("lean-direct", "stomp.test.mjs")]
    [InlineData("lean-pubsub", "stomp.test.mjs")]
    [InlineData("lean-direct", "plain.test.mjs")]
    [InlineData("lean-pubsub", "plain.test.mjs")]
    [InlineData("lean-direct", "raw.test.mjs")]
    [InlineData("lean-pubsub", "raw.test.mjs")]
    public async Task A_client_from_npm_works_with_both_servers(string name, string tests) =>
        await NodeProject.TestAsync(tests, ("STOMP_URL", $"ws://{(await ServerAsync(name)).Address.Authority}/ws"));

    [TheoryNeeds(Needed.Node)]
    [InlineData("direct")]
    [InlineData("pubsub")]
    public async Task The_client_of_the_readme_prints_the_message_that_it_published(string name)
    {
        var readme = await File.ReadAllTextAsync(Path.Combine(NodeProject.Folder, "..", "..", "..", "README.md"));
        var program = readme.Split("```js\n")[1].Split("```")[0];
        Assert.Contains("ws://127.0.0.1:5002/ws", program, StringComparison.Ordinal);

        var server = await ServerAsync(name);
        Assert.Equal("hello", await NodeProject.FirstLineAsync(
            program.Replace("127.0.0.1:5002", server.Address.Authority, StringComparison.Ordinal)));
    }

    [TheoryNeeds(Needed.Node)]
    [InlineData("sqs.test.mjs")]
    [InlineData("sns.test.mjs")]
    public async Task The_official_clients_of_SQS_and_SNS_work_against_LocalSqs(string tests) =>
        await NodeProject.TestAsync(tests, ("SQS_ENDPOINT", (await TestServers.SharedQueueAsync()).Address.ToString()));

    private Task<ChildServer> ServerAsync(string name)
    {
        var isLean = name.StartsWith("lean-", StringComparison.Ordinal);
        string[] settings = ["--Relay:HeartBeat", "00:00:01", "--Relay:FrontEnd", isLean ? "Lean" : "Framework"];
        return name.EndsWith("direct", StringComparison.Ordinal)
            ? servers.DirectAsync(settings)
            : servers.PubSubAsync([.. settings, "--Queue:Name", isLean ? "npm-lean" : "npm"]);
    }
}
