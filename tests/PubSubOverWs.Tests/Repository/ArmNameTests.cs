using System.Text.RegularExpressions;

namespace PubSubOverWs.Tests.Repository;

/// <summary>
/// Arms are named where an experiment is described and where a system under test is started. All other code takes arms as values, or a
/// further experiment would have to change it.
/// </summary>
public sealed partial class ArmNameTests
{
    private static readonly string[] NamingFolders =
    [
        "loadtest/PubSubOverWs.Report/Record/Relay/", "loadtest/PubSubOverWs.LoadTest/Experiments/",
        "loadtest/PubSubOverWs.LoadTest/Harness/Targets/",
    ];

    [Fact]
    public void Only_experiments_and_targets_name_an_arm()
    {
        var named = SourceTree.Files("loadtest", ".cs").Where(
            path => !NamingFolders.Any(folder => path.StartsWith(folder, StringComparison.Ordinal)))
            .Where(path => NamesAnArm(SourceTree.Read(path)));

        Assert.Empty(named);
    }

    [Theory]
    [InlineData("var arm = Relays.Direct;")]
    [InlineData("if (arm.Name == \"pubsub\")")]
    [InlineData("$\"leave --direct away: {why}\"")]
    [InlineData("\"\"\"\n  {\"arms\":[\"direct+buffer\"]}\n  \"\"\"")]
    [InlineData("\"both instances, such as direct-a\"")]
    public void A_constant_and_a_word_in_a_text_name_an_arm(string code) => Assert.True(NamesAnArm(code));

    [Theory]
    [InlineData("scenario.Arms.Count > 0")]
    [InlineData("scenario.Arms.All(arm => arm.HasQueue)")]
    [InlineData("/// <param name=\"arm\">Such as direct.</param>")]
    [InlineData("new Option<int>(\"--pubsub-nodes\")")]
    [InlineData("const string Name = \"pubsub-over-ws\";")]
    [InlineData("var direct = \"the direction\";")]
    public void A_list_a_comment_and_another_word_do_not_name_an_arm(string code) => Assert.False(NamesAnArm(code));

    private static bool NamesAnArm(string code)
    {
        var text = Comment().Replace(code, "");
        return Constant().IsMatch(text) || Literal().Matches(text).Any(literal => Name().IsMatch(literal.Value));
    }

    [GeneratedRegex(@"^\s*//.*$", RegexOptions.Multiline)]
    private static partial Regex Comment();


    [GeneratedRegex(@"\bRelays\.(Direct|PubSub|Buffered|Lean|LeanPubSub|Unpacked|All|Contrast|Of|Find|AgainstItself)\b")]
    private static partial Regex Constant();

    [GeneratedRegex("\"\"\"[\\s\\S]*?\"\"\"|\"(?:[^\"\\\\\\n]|\\\\.)*\"")]
    private static partial Regex Literal();

    [GeneratedRegex(@"(?<!\w)(direct|pubsub)(?!\w|-nodes|-over-ws)")]
    private static partial Regex Name();
}
