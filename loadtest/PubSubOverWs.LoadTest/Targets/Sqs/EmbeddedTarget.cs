using PubSubOverWs.LoadTest.Processes;
using PubSubOverWs.LoadTest.Targets.Drain;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LoadTest.Targets.Sqs;

/// <summary>LocalSqs, started by the run for the pubsub server. A pubsub server that was already running has another queue.</summary>
public sealed record EmbeddedTarget : QueueTarget
{
    // The default key of LocalSqs, and its secret.
    private const string Key = "test";

    public override string Name => "LocalSqs";

    public override string? NamedBy => null;

    public override DrainLooks Looks => DrainLooks.Near;

    /// <summary>Short, because a server that stops waits for its polls, in every block.</summary>
    public override TimeSpan WaitTime => TimeSpan.FromSeconds(5);

    public override IEnumerable<(string Name, string Value)> ServerSettings =>
    [
        ("Sqs:Queue", "fresh for each block"), ("Sqs:AccessKey", "masked"), ("Sqs:SecretKey", "masked"), ("Sqs:WaitTime", $"{WaitTime:c}"),
    ];

    public override IEnumerable<(string Name, string Value)> Options => [];

    private protected override ChildCommand On(string queue, Uri? localSqs)
    {
        var keys = new Dictionary<string, string> { ["Sqs__AccessKey"] = Key, ["Sqs__SecretKey"] = Key };
        return SqsPrograms.PubSub.Command(keys, "--Sqs:Endpoint", At(localSqs), "--Sqs:Queue", queue, "--Sqs:WaitTime", $"{WaitTime:c}");
    }

    private protected override SqsOptions Client(Uri? localSqs) => new() { Endpoint = At(localSqs), AccessKey = Key, SecretKey = Key };

    private static string At(Uri? localSqs)
    {
        ArgumentNullException.ThrowIfNull(localSqs);
        return localSqs.ToString();
    }
}
