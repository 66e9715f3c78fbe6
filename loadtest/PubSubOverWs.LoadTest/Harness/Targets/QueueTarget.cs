using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.Queues;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LoadTest.Harness.Targets;

/// <summary>
/// The queue of a run: <see cref="EmbeddedTarget"/>, <see cref="EndpointTarget"/> or <see cref="AwsTarget"/>. None is implied by the
/// absence of another.
/// </summary>
public abstract record QueueTarget
{
    /// <summary>The option for <see cref="SqsClient"/>.</summary>
    public const string ClientOption = "--sqs-client";

    private protected QueueTarget()
    {
    }

    /// <summary>The default.</summary>
    public static QueueTarget Embedded { get; } = new EmbeddedTarget();

    /// <summary>The client of the pubsub server: the same for every queue, so that distance and client are not confounded.</summary>
    public SqsClientKind SqsClient { get; init; } = new SqsOptions().Client;

    /// <summary>For messages: <c>LocalSqs</c>, <c>the queue at ADDRESS</c>, <c>Amazon SQS in REGION</c>.</summary>
    public abstract string Name { get; }

    /// <summary>The option that named it; null: none did.</summary>
    public abstract string? NamedBy { get; }

    /// <summary>How often it must be found empty.</summary>
    public abstract DrainLooks Looks { get; }

    /// <summary>How long a poll of the pubsub server waits: it decides what an idle queue costs.</summary>
    public abstract TimeSpan WaitTime { get; }

    /// <summary>The command of a pubsub server that uses it.</summary>
    /// <param name="localSqs">The address of the embedded queue; null: this run has none.</param>
    public ChildCommand Server(string queue, Uri? localSqs)
    {
        var server = On(queue, localSqs);
        return server with { Arguments = [.. server.Arguments, "--Sqs:Client", SqsClient.ToString()] };
    }

    /// <summary>The settings of <see cref="Server"/> for run.json, with secrets masked.</summary>
    public abstract IEnumerable<(string Name, string Value)> ServerSettings { get; }

    /// <summary>The options that named it, for run.json, with secrets masked.</summary>
    public abstract IEnumerable<(string Name, string Value)> Options { get; }

    /// <summary>A client for the run itself, whichever client the server uses.</summary>
    /// <exception cref="QueueException">The location of the queue is incomplete.</exception>
    public SqsOverHttp Connect(Uri? localSqs, TimeProvider time) => new(Settings(localSqs), time);

    /// <summary>A client for the topics.</summary>
    /// <inheritdoc cref="Connect"/>
    public SnsOverHttp ConnectTopics(Uri? localSqs, TimeProvider time) => new(Settings(localSqs), time);

    private protected abstract ChildCommand On(string queue, Uri? localSqs);

    private protected abstract SqsOptions Client(Uri? localSqs);

    private SqsOptions Settings(Uri? localSqs)
    {
        var options = Client(localSqs);
        options.MaxAttempts = 3;
        return options;
    }
}

/// <summary>The programs on both sides of a queue.</summary>
public static class SqsPrograms
{
    /// <summary>The server that relays through a queue.</summary>
    public static ServerProgram PubSub { get; } = new("pubsub", "PubSubServer");

    /// <summary>The embedded queue.</summary>
    public static ServerProgram LocalSqs { get; } = new("localsqs", "LocalSqs", "/health");

    /// <summary>The embedded queue with a simulated latency.</summary>
    /// <param name="seed">Of the delays; each block draws others.</param>
    public static ChildCommand LocalSqsAt(QueueLatency latency, long seed) => !latency.IsSimulated
        ? LocalSqs.Command()
        : LocalSqs.Command(
            "--LocalSqs:DelayP50", $"{latency.P50:c}", "--LocalSqs:DelayP99", $"{latency.P99:c}",
            "--LocalSqs:Seed", unchecked((int)seed).ToString(CultureInfo.InvariantCulture));
}

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
        ("Queue:Name", "fresh for each block"), ("Sqs:AccessKey", "masked"), ("Sqs:SecretKey", "masked"),
        ("Queue:WaitTime", $"{WaitTime:c}"),
    ];

    public override IEnumerable<(string Name, string Value)> Options => [];

    private protected override ChildCommand On(string queue, Uri? localSqs)
    {
        var keys = new Dictionary<string, string> { ["Sqs__AccessKey"] = Key, ["Sqs__SecretKey"] = Key };
        return SqsPrograms.PubSub.Command(keys, "--Sqs:Endpoint", At(localSqs), "--Queue:Name", queue, "--Queue:WaitTime", $"{WaitTime:c}");
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
        [("Queue:Name", "fresh for each block"), ("Sqs:AccessKey", "masked"), ("Sqs:SecretKey", "masked"),
            ("Queue:WaitTime", $"{WaitTime:c}")];

    public override IEnumerable<(string Name, string Value)> Options => [("--sqs-endpoint", MaskedAddress.Text(Address))];

    private protected override ChildCommand On(string queue, Uri? localSqs) =>
        SqsPrograms.PubSub.Command(
            environment: null, "--Sqs:Endpoint", Address.ToString(), "--Queue:Name", queue, "--Queue:WaitTime", $"{WaitTime:c}");

    private protected override SqsOptions Client(Uri? localSqs) => new() { Endpoint = Address.ToString() };
}

/// <summary>An address for the record.</summary>
public static class MaskedAddress
{
    /// <summary>Without user, password and query, which may be secret.</summary>
    public static string Text(Uri address) =>
        address.GetComponents(UriComponents.SchemeAndServer | UriComponents.Path, UriFormat.UriEscaped)
        + (address.UserInfo.Length > 0 ? " (user and password masked)" : "");
}

/// <summary>Amazon SQS: every request costs money. The run and its servers use the credentials of AWS's default chain.</summary>
/// <param name="Region">Such as <c>eu-central-1</c>.</param>
public sealed record AwsTarget(string Region) : QueueTarget
{
    /// <summary>Parallel polls of a server: its default.</summary>
    public const int PollLoops = 4;

    public override string Name => $"Amazon SQS in {Region}";

    public override string? NamedBy => "--sqs aws";

    public override DrainLooks Looks => DrainLooks.Aws;

    /// <summary>The server's default: shorter polls cost more, longer ones delay its stop.</summary>
    public override TimeSpan WaitTime => TimeSpan.FromSeconds(15);

    public override IEnumerable<(string Name, string Value)> ServerSettings =>
    [
        ("Queue:Name", "fresh for each block"), ("Sqs:Region", Region), ("Queue:WaitTime", $"{WaitTime:c}"),
        ("Queue:PollLoops", PollLoopsText),
    ];

    public override IEnumerable<(string Name, string Value)> Options => [("--sqs", "aws"), ("--region", Region)];

    private static string PollLoopsText => PollLoops.ToString(CultureInfo.InvariantCulture);

    // Explicitly empty, so that settings in the environment do not change the endpoint or the account.
    private protected override ChildCommand On(string queue, Uri? localSqs)
    {
        var chain = new Dictionary<string, string> { ["Sqs__AccessKey"] = "", ["Sqs__SecretKey"] = "", ["Sqs__SessionToken"] = "" };
        return SqsPrograms.PubSub.Command(
            chain, "--Sqs:Endpoint=", "--Sqs:Region", Region, "--Queue:Name", queue, "--Queue:WaitTime", $"{WaitTime:c}",
            "--Queue:PollLoops", PollLoopsText);
    }

    private protected override SqsOptions Client(Uri? localSqs) => new() { Region = Region };
}
