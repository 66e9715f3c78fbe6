using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.LocalStackTests;

/// <summary>A theory on the <see cref="QueueServer"/>; skipped with the reason where there is none.</summary>
[AttributeUsage(AttributeTargets.Method)]
public class EndpointTheoryAttribute : TheoryAttribute
{
    public EndpointTheoryAttribute() => Skip = NamedEndpoint.Address is not null || Docker.Missing is not { } reason
        ? null
        : $"Needs a queue server: set {NamedEndpoint.Variable} to its address, such as http://127.0.0.1:4566, or have Docker ({reason}).";
}

/// <summary>The same for servers and runs on it, which are many calls.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class RunTheoryAttribute : EndpointTheoryAttribute
{
    public RunTheoryAttribute() =>
        Skip ??= NamedEndpoint.Address is { } address && AwsHost.IsSqs(address) ? "Not on AWS, where runs cost money." : null;
}
