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
