namespace PubSubOverWs.EndToEndTests.Node;

/// <summary>A Chromium on the PATH, which the clients from npm drive.</summary>
public static class Browser
{
    private static readonly string[] Names = ["chromium", "chromium-browser", "google-chrome"];

    /// <summary>The program; null: there is none.</summary>
    public static string? Program { get; } = (
        from folder in (Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator, StringSplitOptions.RemoveEmptyEntries)
        from name in Names
        let path = Path.Combine(folder, name)
        where File.Exists(path)
        select path).FirstOrDefault();

    /// <summary>Why these tests cannot run here: what is missing. Null: they can.</summary>
    public static string? Missing =>
        NodeProject.Missing ?? (Program is null ? $"Needs a browser: none of {string.Join(", ", Names)} is on the PATH." : null);
}
