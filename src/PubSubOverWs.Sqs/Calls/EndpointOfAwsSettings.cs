using PubSubOverWs.Queues;

namespace PubSubOverWs.Sqs;

/// <summary>
/// The endpoint that AWS's own settings (variables, profile) name for a service. Our clients use <see cref="SqsOptions.Endpoint"/>;
/// without it, a user who named another server in AWS's settings must not reach AWS by mistake. The rules are those of AWS's
/// "Service-specific endpoints".
/// </summary>
internal static class EndpointOfAwsSettings
{
    private const string Key = "endpoint_url";

    /// <summary>Calls to AWS cost money, so they are refused where the user named another server.</summary>
    /// <exception cref="QueueException"><see cref="SqsErrorCode.EndpointElsewhere"/>.</exception>
    public static void RefuseToPassBy(AwsService service)
    {
        if (Find(service) is not var (where, url))
            return;
        throw new QueueException(
            SqsErrorCode.EndpointElsewhere,
            $"No endpoint is set, so the queue is on AWS, but {where} is {Shown(url)}: name it in Sqs:Endpoint (of the load "
                + "runner: --sqs-endpoint), or remove it to use AWS.",
            isRetryable: false);
    }

    /// <summary>Where it is set, and its value; null: nowhere, or the settings say that it is to be ignored.</summary>
    private static (string Where, string Url)? Find(AwsService service)
    {
        if (IsTrue(Variable("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS")))
            return null;
        foreach (var variable in new[] { $"AWS_ENDPOINT_URL_{service.Name}", "AWS_ENDPOINT_URL" })
        {
            if (Variable(variable) is { } url)
                return (variable, url);
        }

        var name = Variable("AWS_PROFILE") ?? "default";
        return OfProfile(name, service) is { } found ? ($"{Key} of the AWS profile '{name}'", found) : null;
    }

    // Read by hand: AWSSDK.Core keeps the sections of services to itself, and reads a profile only where it has credentials.
    private static string? OfProfile(string name, AwsService service)
    {
        var config = Lines("AWS_CONFIG_FILE", "config");
        string[] profile =
        [
            .. Section(config, $"profile {name}"),
            .. name == "default" ? Section(config, name) : [],
            .. Section(Lines("AWS_SHARED_CREDENTIALS_FILE", "credentials"), name),
        ];
        if (IsTrue(Value(profile, "ignore_configured_endpoint_urls")))
            return null;
        var services = Value(profile, "services") is { } section ? Section(config, $"services {section}") : [];
        return Value(
            services.SkipWhile(line => Words(line)[0] != service.Id).Skip(1).TakeWhile(IsNested).Select(line => line.TrimStart()), Key)
                ?? Value(profile, Key);
    }

    private static IEnumerable<string> Section(string[] lines, string name) =>
        lines.SkipWhile(line => line.Trim() != $"[{name}]").Skip(1).TakeWhile(line => !line.StartsWith('['));

    private static string? Value(IEnumerable<string> lines, string key) =>
        lines.Where(line => !IsNested(line)).Select(Words)
            .FirstOrDefault(words => words is [var found, { Length: > 0 }] && found == key)?[1];

    private static bool IsNested(string line) => line.StartsWith(' ') || line.StartsWith('\t');

    private static string[] Words(string line) => line.Split('=', 2, StringSplitOptions.TrimEntries);

    private static string[] Lines(string variable, string file)
    {
        var path = Variable(variable) ?? Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".aws", file);
        return File.Exists(path) ? File.ReadAllLines(path) : [];
    }

    private static string Shown(string url) =>
        url.AsSpan().ContainsAny('@', '?') ? "an address that may hold a secret, and is not repeated here" : $"'{url}'";

    private static bool IsTrue(string? text) => bool.TryParse(text, out var value) && value;

    private static string? Variable(string name) => Environment.GetEnvironmentVariable(name) is { Length: > 0 } value ? value : null;
}
