using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.EndToEndTests;

/// <summary>
/// A pubsub server and a client of the queue that comes with the product, or of what stands before it, with the keys that it knows.
/// </summary>
internal static class OnLocalSqs
{
    /// <summary>Its polls are short, so that it is soon stopped.</summary>
    public static ChildCommand PubSub(Uri queue, params string[] settings)
    {
        var keys = new Dictionary<string, string> { ["Sqs__AccessKey"] = "test", ["Sqs__SecretKey"] = "test" };
        return PubSubTarget.Program.Command(keys, ["--Sqs:Endpoint", queue.ToString(), "--Sqs:WaitTime", "00:00:01", .. settings]);
    }

    public static SqsOverHttp Client(Uri queue) => QueueTarget.Embedded.Connect(queue, TimeProvider.System);
}
