namespace PubSubOverWs.EndToEndTests.Node;

/// <summary>A fact about a client that runs under Node.js; skipped with the reason where that, or its packages, cannot be had.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class NodeFactAttribute : FactAttribute
{
    public NodeFactAttribute() => Skip = NodeProject.Missing;
}

/// <summary>As <see cref="NodeFactAttribute"/>, once for each row of data.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class NodeTheoryAttribute : TheoryAttribute
{
    public NodeTheoryAttribute() => Skip = NodeProject.Missing;
}

/// <summary>A fact about a page in a browser; skipped with the reason where there is none.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class BrowserFactAttribute : FactAttribute
{
    public BrowserFactAttribute() => Skip = Browser.Missing;
}

/// <summary>As <see cref="BrowserFactAttribute"/>, once for each row of data.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class BrowserTheoryAttribute : TheoryAttribute
{
    public BrowserTheoryAttribute() => Skip = Browser.Missing;
}
