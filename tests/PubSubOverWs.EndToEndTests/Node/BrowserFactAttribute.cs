namespace PubSubOverWs.EndToEndTests.Node;

/// <summary>A fact about a page in a browser; skipped with the reason where there is none.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class BrowserFactAttribute : FactAttribute
{
    public BrowserFactAttribute() => Skip = Browser.Missing;
}
