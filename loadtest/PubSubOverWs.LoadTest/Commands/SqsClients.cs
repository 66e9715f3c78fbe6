using System.CommandLine;
using PubSubOverWs.Experiment.Formats;
using PubSubOverWs.LoadTest.Targets.Sqs;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary>The option <c>--sqs-client</c>.</summary>
public static class SqsClients
{
    /// <summary>That of the servers, too.</summary>
    public static SqsClientKind Default { get; } = new SqsOptions().Client;

    public static Option<string?> Option(string description) => new(QueueTarget.ClientOption)
    {
        Description = $"{description}: aws-sdk, Amazon's client, or http, our own; {Kebab.Of(Default)} if left out",
        HelpName = "aws-sdk|http",
        CustomParser = Values.OneOf(QueueTarget.ClientOption, [.. Enum.GetValues<SqsClientKind>().Select(Kebab.Of)]),
    };

    /// <summary>Null: it is not given.</summary>
    public static SqsClientKind? Read(ParseResult parsed, Option<string?> option) =>
        parsed.GetValue(option) is { } word && Kebab.TryParse<SqsClientKind>(word, out var client) ? client : null;
}
