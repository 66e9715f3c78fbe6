namespace PubSubOverWs.EndToEndTests.Sqs;

/// <summary>A theory about <see cref="NamedEndpoint"/>; skipped with the reason when there is none.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class NamedEndpointTheoryAttribute : TheoryAttribute
{
    public NamedEndpointTheoryAttribute() => Skip = NamedEndpoint.Missing;
}
