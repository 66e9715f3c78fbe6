using System.Text.RegularExpressions;

namespace PubSubOverWs.Tests.Repository;

public sealed partial class SourceTests
{
    private static readonly string[] Texts =
        [".cs", ".csproj", ".props", ".json", ".md", ".js", ".mjs", ".html", ".css", ".sh", ".yml", ".cff"];

    [Fact]
    public void Files_are_short()
    {
        var lines = SourceTree.Files("", ".cs").Select(path => (Path: path, Count: SourceTree.Lines(path).Length)).OrderBy(file => file.Count).ToArray();

        Assert.DoesNotContain(lines, file => file.Count > 400);
        Assert.InRange(lines[lines.Length / 2].Count, 1, 60);
        Assert.InRange(lines[lines.Length * 9 / 10].Count, 1, 170);
    }

    [Fact]
    public void Nothing_is_left_for_later() =>
        Assert.All(SourceTree.Files("", ".cs", ".js", ".mjs"), path => Assert.DoesNotMatch(LeftForLater(), SourceTree.Read(path)));

    [Fact]
    public void No_file_names_a_path_of_the_machine_it_was_written_on() =>
        Assert.All(SourceTree.Files("", Texts), path => Assert.DoesNotMatch(MachinePath(), SourceTree.Read(path)));

    [Fact]
    public void A_file_is_named_after_its_public_type()
    {
        foreach (var path in SourceTree.Files("src", ".cs").Concat(SourceTree.Files("loadtest", ".cs")))
        {
            var types = PublicType().Matches(SourceTree.Read(path)).Select(match => match.Groups["name"].Value).Distinct().ToArray();
            Assert.True(types.Length <= 1, $"{path} declares {string.Join(", ", types)}.");
            Assert.All(types, type => Assert.Equal(type, Path.GetFileName(path).Split('.')[0]));
        }
    }

    // Put together from halves, so that this file passes its own test.
    [GeneratedRegex("TO" + "DO|FIX" + "ME|HA" + "CK|NotImplemented" + "Exception")]
    private static partial Regex LeftForLater();

    [GeneratedRegex(@"(?<![\w.:~/-])/(home|Users|root|tmp|mnt|media|workspaces?|builds)/\w|\b[A-Z]:\\[A-Za-z]")]
    private static partial Regex MachinePath();

    [GeneratedRegex(@"^public (?:(?:abstract|sealed|static|partial|readonly|ref) )*(?:class|interface|enum|struct|record struct|record class|record|delegate \w+) (?<name>\w+)", RegexOptions.Multiline)]
    private static partial Regex PublicType();
}
