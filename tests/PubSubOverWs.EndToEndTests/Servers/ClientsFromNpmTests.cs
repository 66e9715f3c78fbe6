using PubSubOverWs.EndToEndTests.Node;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.EndToEndTests.Servers;

/// <summary>Clients of other projects, on both servers, with both front ends.</summary>
public sealed class ClientsFromNpmTests : IAsyncLifetime
{
    private static readonly string[] HeartBeat = ["--Relay:HeartBeat", "00:00:01"];
    private static readonly string[] Lean = [.. HeartBeat, "--Relay:FrontEnd", "Lean"];

    private readonly Dictionary<string, ChildServer> _servers = [];

    public async Task InitializeAsync()
    {
        var queue = await StartAsync(SqsPrograms.LocalSqs.Command());
        await StartAsync(DirectTarget.Program.Command(HeartBeat));
        await StartAsync(OnLocalSqs.PubSub(queue.Address, HeartBeat));
        await StartAsync(DirectTarget.Program.Command(Lean), "lean-");
        await StartAsync(OnLocalSqs.PubSub(queue.Address, [.. Lean, "--Sqs:Queue", "lean"]), "lean-");
    }

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
        NodeProject.TestAsync(tests, ("STOMP_URL", $"ws://{_servers[server].Address.Authority}/ws"));

    [NodeTheory]
    [InlineData("direct")]
    [InlineData("pubsub")]
    public async Task The_client_of_the_readme_prints_the_message_that_it_published(string server)
    {
        var readme = await File.ReadAllTextAsync(Path.Combine(NodeProject.Folder, "..", "..", "..", "README.md"));
        var program = readme.Split("```js\n")[1].Split("```")[0];
        Assert.Contains("ws://127.0.0.1:5002/ws", program, StringComparison.Ordinal);

        Assert.Equal("hello", await NodeProject.FirstLineAsync(
            program.Replace("127.0.0.1:5002", _servers[server].Address.Authority, StringComparison.Ordinal)));
    }

    public async Task DisposeAsync()
    {
        foreach (var server in _servers.Values.Reverse())
            await server.DisposeAsync();
    }

    private async Task<ChildServer> StartAsync(ChildCommand command, string prefix = "") =>
        _servers[prefix + command.Name] = await ChildServer.StartAsync(command, new ChildOptions(), CancellationToken.None);
}
