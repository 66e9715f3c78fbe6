using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets.Drain;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LoadTest.Harness.Targets.Sqs;

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
        ("Sqs:Queue", "fresh for each block"), ("Sqs:Region", Region), ("Sqs:WaitTime", $"{WaitTime:c}"), ("Sqs:PollLoops", PollLoopsText),
    ];

    public override IEnumerable<(string Name, string Value)> Options => [("--sqs", "aws"), ("--region", Region)];

    private static string PollLoopsText => PollLoops.ToString(CultureInfo.InvariantCulture);

    // Explicitly empty, so that settings in the environment do not change the endpoint or the account.
    private protected override ChildCommand On(string queue, Uri? localSqs)
    {
        var chain = new Dictionary<string, string> { ["Sqs__AccessKey"] = "", ["Sqs__SecretKey"] = "", ["Sqs__SessionToken"] = "" };
        return SqsPrograms.PubSub.Command(
            chain, "--Sqs:Endpoint=", "--Sqs:Region", Region, "--Sqs:Queue", queue, "--Sqs:WaitTime", $"{WaitTime:c}", "--Sqs:PollLoops",
            PollLoopsText);
    }

    private protected override SqsOptions Client(Uri? localSqs) => new() { Region = Region };
}
