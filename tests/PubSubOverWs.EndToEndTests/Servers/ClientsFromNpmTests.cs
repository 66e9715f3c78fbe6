using PubSubOverWs.EndToEndTests.Node;
using PubSubOverWs.LoadTest.Load.Children;

namespace PubSubOverWs.EndToEndTests.Servers;

/// <summary>Clients that nobody here wrote, on both servers.</summary>
public sealed class ClientsFromNpmTests : IAsyncLifetime
{
    private static readonly string[] HeartBeat = ["--Relay:HeartBeat", "00:00:01"];

    private readonly Dictionary<string, ChildServer> _servers = [];

    public async Task InitializeAsync()
    {
        var queue = await StartAsync(ChildCommand.LocalSqs());
        await StartAsync(ChildCommand.Direct(HeartBeat));
        await StartAsync(OnLocalSqs.PubSub(queue.Address, HeartBeat));
    }

    [NodeTheory]
    [InlineData("direct", "stomp.test.mjs")]
    [InlineData("pubsub", "stomp.test.mjs")]
    [InlineData("direct", "plain.test.mjs")]
    [InlineData("pubsub", "plain.test.mjs")]
    [InlineData("direct", "raw.test.mjs")]
    [InlineData("pubsub", "raw.test.mjs")]
    public Task A_client_from_npm_works_with_both_servers(string server, string tests) =>
        NodeProject.TestAsync(tests, ("STOMP_URL", $"ws://{_servers[server].Address.Authority}/ws"));

    public async Task DisposeAsync()
    {
        foreach (var server in _servers.Values.Reverse())
            await server.DisposeAsync();
    }

    private async Task<ChildServer> StartAsync(ChildCommand command) =>
        _servers[command.Name] = await ChildServer.StartAsync(command, new ChildOptions(), CancellationToken.None);
}
