using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text.Json;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.EndToEndTests;

/// <summary>Servers as processes, each on a free port of loopback, ready when they are returned.</summary>
internal static class TestServers
{
    private static readonly Lazy<Task<ChildServer>> Shared = new(() => QueueAsync());

    /// <summary>
    /// One LocalSqs for all tests that neither stop it nor look at other queues than their own; it ends with the process of the tests.
    /// </summary>
    public static Task<ChildServer> SharedQueueAsync() => Shared.Value;

    public static Task<ChildServer> StartAsync(ChildCommand command, ChildOptions? options = null) =>
        ChildServer.StartAsync(command, options ?? new ChildOptions(), CancellationToken.None);

    public static Task<ChildServer> DirectAsync(params string[] settings) => StartAsync(DirectTarget.Program.Command(settings));

    /// <summary>A LocalSqs of a test's own.</summary>
    public static Task<ChildServer> QueueAsync(params string[] settings) => StartAsync(SqsPrograms.LocalSqs.Command(settings));

    public static Task<ChildServer> PubSubAsync(Uri queue, params string[] settings) => StartAsync(PubSub(queue, settings));

    /// <summary>
    /// A pubsub server on the queue that comes with the product, or on what stands before it, with a key that it knows. Its polls are
    /// short, so that it is soon stopped.
    /// </summary>
    public static ChildCommand PubSub(Uri queue, params string[] settings)
    {
        var keys = new Dictionary<string, string> { ["Sqs__AccessKey"] = "test", ["Sqs__SecretKey"] = "test" };
        return PubSubTarget.Program.Command(keys, ["--Sqs:Endpoint", queue.ToString(), "--Queue:WaitTime", "00:00:01", .. settings]);
    }

    /// <summary>What a server says of itself.</summary>
    public static async Task<JsonElement> StatsAsync(ChildServer server)
    {
        using var http = new HttpClient { BaseAddress = server.Address };
        using var stats = JsonDocument.Parse(await http.GetStringAsync(new Uri("/stats", UriKind.Relative)));
        return stats.RootElement.Clone();
    }

    /// <summary>A client of that queue.</summary>
    public static SqsOverHttp Client(Uri queue) => QueueTarget.Embedded.Connect(queue, TimeProvider.System);
}

/// <summary>The servers of a class of tests in which nothing is killed: who asks for the same settings gets the same server.</summary>
public sealed class SharedServers : IAsyncLifetime
{
    private readonly Dictionary<string, ChildServer> _servers = [];

    public Task InitializeAsync() => Task.CompletedTask;

    public Task<ChildServer> DirectAsync(params string[] settings) => GetAsync(DirectTarget.Program.Command(settings));

    /// <summary>On the queue server of all tests: a queue's name must be of this class only.</summary>
    public async Task<ChildServer> PubSubAsync(params string[] settings) =>
        await GetAsync(TestServers.PubSub((await TestServers.SharedQueueAsync()).Address, settings));

    // Tests of one class run one after the other.
    public async Task<ChildServer> GetAsync(ChildCommand command)
    {
        var key = string.Join(' ', [command.Assembly, .. command.Arguments]);
        if (!_servers.TryGetValue(key, out var server))
            _servers[key] = server = await TestServers.StartAsync(command);
        return server;
    }

    public async Task DisposeAsync() => await Task.WhenAll(_servers.Values.Select(server => server.DisposeAsync().AsTask()));
}

/// <summary>Every running process, as Linux reports it.</summary>
internal static class RunningProcesses
{
    /// <param name="file">Below <c>/proc/ID</c>, such as <c>stat</c>.</param>
    /// <returns>Its text, of each process of which it can be read.</returns>
    public static IEnumerable<string> Read(string file) => Directory.EnumerateDirectories("/proc")
        .Where(folder => int.TryParse(Path.GetFileName(folder), NumberStyles.None, CultureInfo.InvariantCulture, out _))
        .Select(folder => TextOf(Path.Combine(folder, file)))
        .Where(text => text.Length > 0);

    private static string TextOf(string path)
    {
        try
        {
            return File.ReadAllText(path);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return ""; // It ended meanwhile, or is another user's.
        }
    }
}

/// <summary>
/// Programs that tests start keep the code that they compile first: most of them serve a few requests and end, and to compile hot code
/// again takes two thirds of their processor time, which two cores do not have for all of them. What is released is set otherwise (0189).
/// </summary>
internal static class StartedPrograms
{
    [ModuleInitializer]
    internal static void CompileOnce()
    {
        Environment.SetEnvironmentVariable("DOTNET_TieredPGO", "0");
        Environment.SetEnvironmentVariable("DOTNET_TC_CallCounting", "0");
    }
}
