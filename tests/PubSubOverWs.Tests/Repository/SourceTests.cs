using System.Text.RegularExpressions;

namespace PubSubOverWs.Tests.Repository;

public sealed partial class SourceTests
{
    private static readonly string[] Code = [".cs", ".js", ".mjs", ".sh"];

    // Lines that a type may have which stands in the file of another.
    private const int SmallType = 50;

    [Fact]
    public void No_file_of_code_has_more_than_400_lines() =>
        Assert.DoesNotContain(SourceTree.Files("", Code), path => SourceTree.Lines(path).Length > 400);

    [Fact]
    public void Lines_of_code_have_at_most_140_columns() =>
        Assert.Empty(SourceTree.Files("", Code).SelectMany(path =>
            SourceTree.Lines(path).Select((line, at) => (line.Length, Place: $"{path}({at + 1})")).Where(line => line.Length > 140)));

    [Fact]
    public void Nothing_is_left_for_later() =>
        // Distributions are in Base64, which may spell anything.
        Assert.All(
            SourceTree.Texts.Where(path => !path.EndsWith(".hlog", StringComparison.Ordinal)),
            path => Assert.DoesNotMatch(LeftForLater(), SourceTree.Read(path)));

    [Fact]
    public void No_file_names_a_path_of_the_machine_it_was_written_on() =>
        Assert.All(SourceTree.Texts, path => Assert.DoesNotMatch(MachinePath(), SourceTree.Read(path)));

    [Theory]
    [InlineData("see /ho" + "me/somebody/notes", true)]
    [InlineData("C:\\Users", true)]
    [InlineData("/t" + "mp/x", true)]
    [InlineData("results/tmp/x", false)]
    [InlineData("https://example.com/home/x", false)]
    [InlineData("/topic/home", false)]
    public void A_path_of_a_machine_is_known_by_its_first_folder(string text, bool isPath) =>
        Assert.Equal(isPath, MachinePath().IsMatch(text));

    [Fact]
    public void A_file_is_named_after_its_main_type_and_beside_it_stand_only_small_ones()
    {
        foreach (var path in SourceTree.Files("", ".cs"))
        {
            var text = SourceTree.Read(path);
            var types = TopLevelType().Matches(text).DistinctBy(match => match.Groups["name"].Value).ToArray();
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

    [GeneratedRegex(@"(?<![\w.:~/-])/(home|Users|root|tmp|mnt|media|work(?:spaces?)?|builds)/\w|\b[A-Z]:\\[A-Za-z]")]
    private static partial Regex MachinePath();

    [GeneratedRegex(
        @"^(?:public|internal) (?:(?:abstract|sealed|static|partial|readonly|ref) )*(?<kind>class|interface|enum|struct|record "
            + @"struct|record class|record|delegate \w+) (?<name>\w+)", RegexOptions.Multiline)]
    private static partial Regex TopLevelType();
}
