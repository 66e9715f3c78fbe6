using System.Text.RegularExpressions;

namespace PubSubOverWs.Tests.Repository;

public sealed partial class SourceTests
{
    private static readonly string[] Texts =
        [".cs", ".csproj", ".props", ".json", ".md", ".js", ".mjs", ".html", ".css", ".sh", ".yml", ".cff"];

    // Lines that a type may have which stands in the file of another.
    private const int SmallType = 40;

    [Fact]
    public void Files_are_short()
    {
        var lines = SourceTree.Files("", ".cs").Select(path => (Path: path, Count: SourceTree.Lines(path).Length))
            .OrderBy(file => file.Count).ToArray();

        Assert.DoesNotContain(lines, file => file.Count > 400);
        Assert.InRange(lines[lines.Length / 2].Count, 1, 60);
        Assert.InRange(lines[lines.Length * 9 / 10].Count, 1, 170);
    }

    [Fact]
    public void Lines_of_code_have_at_most_140_columns() =>
        Assert.Empty(SourceTree.Files("", ".cs").SelectMany(path =>
            SourceTree.Lines(path).Select((line, at) => (line.Length, Place: $"{path}({at + 1})")).Where(line => line.Length > 140)));

    [Fact]
    public void Nothing_is_left_for_later() =>
        Assert.All(SourceTree.Files("", ".cs", ".js", ".mjs"), path => Assert.DoesNotMatch(LeftForLater(), SourceTree.Read(path)));

    [Fact]
    public void No_file_names_a_path_of_the_machine_it_was_written_on() =>
        Assert.All(SourceTree.Files("", Texts), path => Assert.DoesNotMatch(MachinePath(), SourceTree.Read(path)));

    [Fact]
    public void A_file_is_named_after_its_main_type_and_beside_it_stand_only_small_ones()
    {
        foreach (var path in SourceTree.Files("src", ".cs").Concat(SourceTree.Files("loadtest", ".cs")))
        {
            var text = SourceTree.Read(path);
            var types = PublicType().Matches(text).DistinctBy(match => match.Groups["name"].Value).ToArray();
            if (types.Length == 0)
                continue;
            var name = Path.GetFileName(path).Split('.')[0];
            Assert.True(
                types.Any(match => match.Groups["name"].Value == name),
                $"{path} declares {string.Join(", ", types.Select(type => type.Groups["name"].Value))}.");
            Assert.All(types.Where(match => match.Groups["name"].Value != name), match => Assert.True(
                IsSmall(text, match),
                $"{path} declares {match.Groups["name"].Value} as well, which is no enum and has more than {SmallType} lines."));
        }
    }

    // Of a type that begins its line, the body ends with a brace that does, too.
    private static bool IsSmall(string text, Match type)
    {
        if (type.Groups["kind"].Value == "enum")
            return true;
        var rest = text.AsSpan(type.Index);
        var (end, brace) = (rest.IndexOf(';'), rest.IndexOf("\n{"));
        if (brace >= 0 && brace < end)
            end = rest.IndexOf("\n}") + 1;
        return rest[..end].Count('\n') < SmallType;
    }

    // Put together from halves, so that this file passes its own test.
    [GeneratedRegex("TO" + "DO|FIX" + "ME|HA" + "CK|NotImplemented" + "Exception")]
    private static partial Regex LeftForLater();

    [GeneratedRegex(@"(?<![\w.:~/-])/(home|Users|root|tmp|mnt|media|workspaces?|builds)/\w|\b[A-Z]:\\[A-Za-z]")]
    private static partial Regex MachinePath();

    [GeneratedRegex(
        @"^public (?:(?:abstract|sealed|static|partial|readonly|ref) )*(?<kind>class|interface|enum|struct|record struct|record "
            + @"class|record|delegate \w+) (?<name>\w+)", RegexOptions.Multiline)]
    private static partial Regex PublicType();
}
