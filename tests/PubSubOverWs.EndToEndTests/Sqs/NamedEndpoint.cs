using PubSubOverWs.SqsContract;

namespace PubSubOverWs.EndToEndTests.Sqs;

/// <summary>
/// The endpoint that <c>SQS_CONTRACT_ENDPOINT</c> names, such as <c>http://127.0.0.1:4566</c> or
/// <c>https://sqs.eu-central-1.amazonaws.com</c>. Keys and region are those of <c>AWS_ACCESS_KEY_ID</c>, <c>AWS_SECRET_ACCESS_KEY</c>,
/// <c>AWS_SESSION_TOKEN</c> and <c>AWS_REGION</c>; without them <c>test</c>, <c>test</c>, none and <c>us-east-1</c>.
/// </summary>
internal static class NamedEndpoint
{
    private const string Variable = "SQS_CONTRACT_ENDPOINT";

    /// <summary>Why there is none; null: there is one.</summary>
    public static string? Missing =>
        Read(Variable) is null ? $"{Variable} names no endpoint: set it to hold one against the contract." : null;

    public static ContractEndpoint Find() => new(
        new Uri(Read(Variable)!),
        Read("AWS_REGION") ?? Read("AWS_DEFAULT_REGION") ?? "us-east-1",
        Read("AWS_ACCESS_KEY_ID") ?? "test",
        Read("AWS_SECRET_ACCESS_KEY") ?? "test",
        Read("AWS_SESSION_TOKEN"));

    private static string? Read(string variable) => Environment.GetEnvironmentVariable(variable) is { Length: > 0 } value ? value : null;
}
