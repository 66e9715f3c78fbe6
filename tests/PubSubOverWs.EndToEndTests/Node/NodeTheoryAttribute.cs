namespace PubSubOverWs.EndToEndTests.Node;

/// <summary>As <see cref="NodeFactAttribute"/>, once for each row of data.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class NodeTheoryAttribute : TheoryAttribute
{
    public NodeTheoryAttribute() => Skip = NodeProject.Missing;
}
