namespace PubSubOverWs.EndToEndTests.Node;

/// <summary>A fact about a client that runs under Node.js; skipped with the reason where that, or its packages, cannot be had.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class NodeFactAttribute : FactAttribute
{
    public NodeFactAttribute() => Skip = NodeProject.Missing;
}
