using System.Text.RegularExpressions;
using YamlDotNet.Core;
using YamlDotNet.Serialization;
using YamlDotNet.Serialization.NamingConventions;

namespace PubSubOverWs.Tests.Repository;

/// <summary>docker-compose.yml, as far as it says something about the code.</summary>
public sealed class ComposeFile
{
    public Dictionary<string, ComposeService> Services { get; set; } = [];

    public Dictionary<string, ComposeSecret> Secrets { get; set; } = [];

    public static ComposeFile Read()
    {
        var reader = new DeserializerBuilder().WithNamingConvention(UnderscoredNamingConvention.Instance).IgnoreUnmatchedProperties()
            .Build();
        using var text = new StringReader(SourceTree.Read("docker-compose.yml"));
        // The key << is a merge of what an anchor holds.
        return reader.Deserialize<ComposeFile>(new MergingParser(new Parser(text)));
    }
}

/// <summary>A secret of docker-compose.yml: a file that only containers see.</summary>
public sealed class ComposeSecret
{
    public string File { get; set; } = "";
}

/// <summary>One service of docker-compose.yml.</summary>
public sealed class ComposeService
{
    /// <summary>Null: it is built here.</summary>
    public string? Image { get; set; }

    /// <summary>Null: it is an image of others.</summary>
    public Dictionary<string, string>? Build { get; set; }

    public Dictionary<string, string> Environment { get; set; } = [];

    public List<string> Secrets { get; set; } = [];

    /// <summary>Such as <c>127.0.0.1:5001:8080</c>.</summary>
    public List<string> Ports { get; set; } = [];

    public Dictionary<string, object> Healthcheck { get; set; } = [];

    public bool ReadOnly { get; set; }

    public List<string> Tmpfs { get; set; } = [];

    public List<string> CapDrop { get; set; } = [];

    public List<string> SecurityOpt { get; set; } = [];

    public string? StopGracePeriod { get; set; }

    public Dictionary<string, Dictionary<string, string>> DependsOn { get; set; } = [];

    /// <summary>The program and its arguments; empty: there is no health check.</summary>
    public IReadOnlyList<string> HealthCommand =>
        Healthcheck.TryGetValue("test", out var test) ? [.. ((List<object>)test).Cast<string>()] : [];
}

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
