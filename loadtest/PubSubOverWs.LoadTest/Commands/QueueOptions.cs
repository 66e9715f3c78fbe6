using System.CommandLine;
using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Runs;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary>The options that name a queue, for every command that uses one.</summary>
public sealed class QueueOptions
{
    private const string Aws = "aws";

    private readonly Option<string?> _sqs = new Option<string?>("--sqs") { HelpName = "local|aws" }.OneOf("local", Aws);
    private readonly Option<string?> _region = new("--region")
    { Description = "the region of --sqs aws, such as eu-central-1", HelpName = "R", CustomParser = Values.Region("--region") };
    private readonly Option<Uri?> _endpoint = new("--sqs-endpoint")
    { HelpName = "URL", CustomParser = Values.QueueAddress("--sqs-endpoint") };

    /// <summary>The options, for the command that adds them.</summary>
    public IReadOnlyList<Option> Describe(string sqs, string endpoint)
    {
        (_sqs.Description, _endpoint.Description) = (sqs, endpoint);
        return [_sqs, _region, _endpoint];
    }

    /// <exception cref="RefusalException">The options contradict each other, or the region is missing.</exception>
    public QueueTarget Read(ParseResult parsed)
    {
        var sqs = parsed.GetValue(_sqs);
        var region = parsed.GetValue(_region);
        var endpoint = parsed.GetValue(_endpoint);
        RefusalException.ThrowUnless(sqs is null || endpoint is null,
            $"--sqs and --sqs-endpoint name two queues: omit one "
                + $"(they may also be set by {Variables.NameOf("--sqs")} and {Variables.NameOf("--sqs-endpoint")}).");
        RefusalException.ThrowUnless(
            region is null || sqs == Aws, "--region has no effect without --sqs aws: omit it, or use --sqs aws.");
        RefusalException.ThrowUnless(region is not null || sqs != Aws,
            "--sqs aws needs a region: add --region with one that your account may use, such as --region eu-central-1.");
        return region is not null ? new AwsTarget(region) : endpoint is not null ? new EndpointTarget(endpoint) : QueueTarget.Embedded;
    }
}

/// <summary>The option <c>--sqs-client</c>.</summary>
public static class SqsClients
{
    /// <summary>Also the servers' default.</summary>
    public static SqsClientKind Default { get; } = new SqsOptions().Client;

    public static Option<string?> Option(string description) => new Option<string?>(QueueTarget.ClientOption)
    {
        Description = $"{description}: aws-sdk, Amazon's client, or http, our own; {Kebab.Text(Default)} by default",
        HelpName = "aws-sdk|http",
    }.OneOf([.. Enum.GetValues<SqsClientKind>().Select(Kebab.Text)]);

    /// <summary>Null: the option was not given.</summary>
    public static SqsClientKind? Read(ParseResult parsed, Option<string?> option) =>
        parsed.GetValue(option) is { } word && Kebab.TryParse<SqsClientKind>(word, out var client) ? client : null;
}

/// <summary>Credentials for servers with users. Secrets are read from files: other programs can see a command line.</summary>
public sealed class LoginOptions
{
    private readonly Option<string?> _login = new("--login")
    { Description = $"user of every connection to {TargetList.Options("and")}, and to a --target", HelpName = "NAME" };
    private readonly Option<string?> _passcode = new("--passcode-file")
    { Description = "file with the passcode of that user", HelpName = "FILE" };
    private readonly Option<string?> _statsToken = new("--stats-token-file")
    { Description = $"file with the token for /stats of {TargetList.Options("and")}", HelpName = "FILE" };

    public IReadOnlyList<Option> Options => [_login, _passcode, _statsToken];

    /// <exception cref="RefusalException">Only one of login and passcode was given, or a file cannot be read.</exception>
    public ServerAccess Read(ParseResult parsed)
    {
        var login = parsed.GetValue(_login);
        var passcode = parsed.GetValue(_passcode);
        var statsToken = parsed.GetValue(_statsToken);
        if (login is null != passcode is null)
            throw new RefusalException("--login and --passcode-file go together: give both or neither.");
        if (login is null && statsToken is null)
            return ServerAccess.None;
        return new ServerAccess(
            login,
            passcode is null ? null : Secret.Read(_passcode.Name, passcode, isToken: false),
            statsToken is null ? null : Secret.Read(_statsToken.Name, statsToken, isToken: true));
    }
}
