using System.Runtime.CompilerServices;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.EndToEndTests;

/// <summary>The servers that tests start, and a client of the queue that comes with the product, with the keys that it knows.</summary>
internal static class TestServers
{
    private static readonly Lazy<Task<ChildServer>> Shared = new(() => QueueAsync());

    /// <summary>
    /// One LocalSqs for all tests that neither stop it nor look at other queues than their own; it ends with the process of the tests.
    /// </summary>
    public static Task<ChildServer> SharedQueueAsync() => Shared.Value;

    /// <summary>A LocalSqs of a test's own.</summary>
    public static Task<ChildServer> QueueAsync(params string[] settings) => StartAsync(SqsPrograms.LocalSqs.Command(settings));

    public static Task<ChildServer> DirectAsync(params string[] settings) => StartAsync(DirectTarget.Program.Command(settings));

    public static Task<ChildServer> PubSubAsync(Uri queue, params string[] settings) => StartAsync(PubSub(queue, settings));

    public static Task<ChildServer> StartAsync(ChildCommand command) =>
        ChildServer.StartAsync(command, new ChildOptions(), CancellationToken.None);

    /// <summary>A pubsub server at that queue, or at what stands before it. Its polls are short, so that it is soon stopped.</summary>
    public static ChildCommand PubSub(Uri queue, params string[] settings)
    {
        var keys = new Dictionary<string, string> { ["Sqs__AccessKey"] = "test", ["Sqs__SecretKey"] = "test" };
        return PubSubTarget.Program.Command(keys, ["--Sqs:Endpoint", queue.ToString(), "--Sqs:WaitTime", "00:00:01", .. settings]);
    }

    public static SqsOverHttp Client(Uri queue) => QueueTarget.Embedded.Connect(queue, TimeProvider.System);

    /// <summary>
    /// Servers compile hot code again after the runtime's usual wait and not at once: most of them serve a few requests and end, and a
    /// start takes half the processor time then (0189), which two cores do not have for all of them.
    /// </summary>
    [ModuleInitializer]
    internal static void CompileLater() =>
        Environment.SetEnvironmentVariable("DOTNET_TC_CallCountingDelayMs", "64"); // Hexadecimal: 100 ms.
}
