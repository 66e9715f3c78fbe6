using System.Text.RegularExpressions;

namespace PubSubOverWs.Tests.Repository;

/// <summary>One stage of the Dockerfile.</summary>
internal sealed partial record DockerStage(string Name, string From, string Text)
{
    public static IReadOnlyDictionary<string, DockerStage> All { get; } = Header().Matches(SourceTree.Read("Dockerfile"))
        .Select(header => new DockerStage(header.Groups["name"].Value, header.Groups["from"].Value, header.Groups["text"].Value))
        .ToDictionary(stage => stage.Name);

    /// <summary>The program that the stage starts, such as <c>PubSubOverWs.DirectServer.dll</c>.</summary>
    public string Program => Entrypoint().Match(Text).Groups["program"].Value;

    /// <summary>The port that its server listens on; null: it has none.</summary>
    public string? Port => Listens().Match(Text) is { Success: true } listens ? listens.Groups["port"].Value : null;

    [GeneratedRegex(@"^FROM (?<from>\S+) AS (?<name>\w+)\n(?<text>.*?)(?=^FROM |\z)", RegexOptions.Multiline | RegexOptions.Singleline)]
    private static partial Regex Header();

    [GeneratedRegex("""ENTRYPOINT \["dotnet", "(?<program>[^"]+)"\]""")]
    private static partial Regex Entrypoint();

    [GeneratedRegex(@"ASPNETCORE_HTTP_PORTS=(?<port>\d+)\nEXPOSE \k<port>\n")]
    private static partial Regex Listens();
}
