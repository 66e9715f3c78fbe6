using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets.Drain;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LoadTest.Harness.Targets.Sqs;

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

/// <summary>A queue server that is already running, such as LocalStack, with the keys of the environment.</summary>
/// <param name="Address">Never that of AWS: <see cref="AwsHost"/>.</param>
public sealed record EndpointTarget(Uri Address) : QueueTarget
{
    public override string Name => $"the queue at {Address}";

    public override string? NamedBy => "--sqs-endpoint";

    public override DrainLooks Looks => DrainLooks.Near;

    /// <summary>Short, as with the embedded queue: nothing is paid here.</summary>
    public override TimeSpan WaitTime => Embedded.WaitTime;

    public override IEnumerable<(string Name, string Value)> ServerSettings =>
        [("Sqs:Queue", "fresh for each block"), ("Sqs:AccessKey", "masked"), ("Sqs:SecretKey", "masked"),
            ("Sqs:WaitTime", $"{WaitTime:c}")];

    public override IEnumerable<(string Name, string Value)> Options => [("--sqs-endpoint", MaskedAddress.Of(Address))];

    private protected override ChildCommand On(string queue, Uri? localSqs) =>
        SqsPrograms.PubSub.Command(
            environment: null, "--Sqs:Endpoint", Address.ToString(), "--Sqs:Queue", queue, "--Sqs:WaitTime", $"{WaitTime:c}");

    private protected override SqsOptions Client(Uri? localSqs) => new() { Endpoint = Address.ToString() };
}

/// <summary>An address for the record.</summary>
public static class MaskedAddress
{
    /// <summary>Without user, password and query, which may be secret.</summary>
    public static string Of(Uri address) => address.GetComponents(UriComponents.SchemeAndServer | UriComponents.Path, UriFormat.UriEscaped)
        + (address.UserInfo.Length > 0 ? " (user and password masked)" : "");
}
