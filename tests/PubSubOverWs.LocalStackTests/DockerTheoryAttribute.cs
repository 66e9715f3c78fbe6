namespace PubSubOverWs.LocalStackTests;

/// <summary>A theory that needs a container; skipped with the reason where there is no Docker.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class DockerTheoryAttribute : TheoryAttribute
{
    public DockerTheoryAttribute() => Skip = Docker.Missing;
}
