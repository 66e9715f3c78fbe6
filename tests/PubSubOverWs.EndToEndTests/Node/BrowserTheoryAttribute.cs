namespace PubSubOverWs.EndToEndTests.Node;

/// <summary>As <see cref="BrowserFactAttribute"/>, once for each row of data.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class BrowserTheoryAttribute : TheoryAttribute
{
    public BrowserTheoryAttribute() => Skip = Browser.Missing;
}
