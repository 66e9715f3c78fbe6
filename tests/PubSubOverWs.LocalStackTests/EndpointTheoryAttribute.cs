using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.SqsContract;

namespace PubSubOverWs.LocalStackTests;

/// <summary>A theory on the <see cref="QueueServer"/>; skipped with the reason where there is none.</summary>
[AttributeUsage(AttributeTargets.Method)]
public class EndpointTheoryAttribute : TheoryAttribute
{
    public EndpointTheoryAttribute()
    {
        if (NamedEndpoint.Address is null && Docker.Missing is { } reason)
        {
            Skip = $"Needs a queue server: set {NamedEndpoint.Variable} to its address, such as http://127.0.0.1:4566, "
                + $"or have Docker ({reason}).";
        }
    }
}

/// <summary>The same for servers and runs on it, which are many calls.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class RunTheoryAttribute : EndpointTheoryAttribute
{
    public RunTheoryAttribute() =>
        Skip ??= NamedEndpoint.Address is { } address && AwsHost.IsSqs(address) ? "Not on AWS, where runs cost money." : null;
}

/// <summary>
/// The endpoint that <c>SQS_CONTRACT_ENDPOINT</c> names, such as <c>http://127.0.0.1:4566</c> or
/// <c>https://sqs.eu-central-1.amazonaws.com</c>. Keys and region are those of <c>AWS_ACCESS_KEY_ID</c>, <c>AWS_SECRET_ACCESS_KEY</c>,
/// <c>AWS_SESSION_TOKEN</c> and <c>AWS_REGION</c>; without them <c>test</c>, <c>test</c>, none and <c>us-east-1</c>.
/// </summary>
internal static class NamedEndpoint
{
    public const string Variable = "SQS_CONTRACT_ENDPOINT";

    public static Uri? Address => Read(Variable) is { } address ? new Uri(address) : null;

    /// <summary>Null: none is named.</summary>
    public static ContractEndpoint? Find() => Address is not { } address ? null : new ContractEndpoint(
        address,
        Read("AWS_REGION") ?? Read("AWS_DEFAULT_REGION") ?? "us-east-1",
        Read("AWS_ACCESS_KEY_ID") ?? "test",
        Read("AWS_SECRET_ACCESS_KEY") ?? "test",
        Read("AWS_SESSION_TOKEN"));

    private static string? Read(string variable) => Environment.GetEnvironmentVariable(variable) is { Length: > 0 } value ? value : null;
}
