using PubSubOverWs.EndToEndTests.Node;
using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.EndToEndTests.Servers;

/// <summary>Clients of other projects, on both servers, with both front ends.</summary>
public sealed class ClientsFromNpmTests(ClientsFromNpmTests.Servers servers) : IClassFixture<ClientsFromNpmTests.Servers>
{
    [NodeTheory]
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
    public Task A_client_from_npm_works_with_both_servers(string server, string tests) =>
        NodeProject.TestAsync(tests, ("STOMP_URL", $"ws://{servers.Authority(server)}/ws"));

    [NodeTheory]
    [InlineData("direct")]
    [InlineData("pubsub")]
    public async Task The_client_of_the_readme_prints_the_message_that_it_published(string server)
    {
        var readme = await File.ReadAllTextAsync(Path.Combine(NodeProject.Folder, "..", "..", "..", "README.md"));
        var program = readme.Split("```js\n")[1].Split("```")[0];
        Assert.Contains("ws://127.0.0.1:5002/ws", program, StringComparison.Ordinal);

        Assert.Equal("hello", await NodeProject.FirstLineAsync(
            program.Replace("127.0.0.1:5002", servers.Authority(server), StringComparison.Ordinal)));
    }

    /// <summary>One of each kind, for all rows; none where Node.js is missing, and the rows are skipped.</summary>
    public sealed class Servers : IAsyncLifetime
    {
        private static readonly string[] HeartBeat = ["--Relay:HeartBeat", "00:00:01"];
        private static readonly string[] Lean = [.. HeartBeat, "--Relay:FrontEnd", "Lean"];

        private readonly Dictionary<string, ChildServer> _servers = [];

        public string Authority(string server) => _servers[server].Address.Authority;

        public async Task InitializeAsync()
        {
            if (NodeProject.Missing is not null)
                return;
            var queue = (await TestServers.SharedQueueAsync()).Address;
            _servers["direct"] = await TestServers.DirectAsync(HeartBeat);
            _servers["pubsub"] = await TestServers.PubSubAsync(queue, [.. HeartBeat, "--Sqs:Queue", "npm"]);
            _servers["lean-direct"] = await TestServers.DirectAsync(Lean);
            _servers["lean-pubsub"] = await TestServers.PubSubAsync(queue, [.. Lean, "--Sqs:Queue", "npm-lean"]);
        }

        public async Task DisposeAsync()
        {
            foreach (var server in _servers.Values)
                await server.DisposeAsync();
        }
    }
}
