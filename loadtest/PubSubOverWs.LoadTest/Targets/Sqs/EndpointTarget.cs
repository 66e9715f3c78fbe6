using PubSubOverWs.LoadTest.Processes;
using PubSubOverWs.LoadTest.Targets.Drain;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LoadTest.Targets.Sqs;

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
