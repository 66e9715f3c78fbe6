using System.Text.Json;
using PubSubOverWs.EndToEndTests.LoadTest;
using PubSubOverWs.EndToEndTests.Node;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.EndToEndTests.Page;

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
        : TestServers.PubSub(_queue.Address, ["--Sqs:VisibilityTimeout", "00:00:03", .. settings]);

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
            script, [("CHROMIUM", Browser.Program!), ("SAMPLES", Folder), ("SERVER", command), ("NAME", server.Name), .. environment]);
    }
}
