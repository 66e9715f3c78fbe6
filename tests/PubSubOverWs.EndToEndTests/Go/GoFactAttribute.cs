namespace PubSubOverWs.EndToEndTests.Go;

/// <summary>
/// A fact about a program in Go that uses Debian's package of gorilla/websocket; skipped with the reason where one is missing.
/// </summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class GoFactAttribute : FactAttribute
{
    public GoFactAttribute() => Skip = GoPrograms.Missing;
}
