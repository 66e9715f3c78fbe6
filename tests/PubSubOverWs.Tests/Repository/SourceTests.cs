using System.Reflection;
using System.Text.RegularExpressions;
using Microsoft.Extensions.Logging;
using PubSubOverWs.LocalSqs;
using PubSubOverWs.PubSubServer;
using PubSubOverWs.Relay;

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

/// <summary>Filters and alerts go by the number of a log event: each means one thing in a process.</summary>
public sealed class LogTests
{
    // A pubsub server has those of the relay, too.
    private static readonly Dictionary<string, (Assembly Assembly, int First, int Last)> Numbers = new()
    {
        ["Relay"] = (typeof(RelayOptions).Assembly, 1, 99),
        ["PubSubServer"] = (typeof(QueueBroker).Assembly, 100, 199),
        ["LocalSqs"] = (typeof(LocalSqsServer).Assembly, 1, 99),
    };

    public static TheoryData<string> Projects => [.. Numbers.Keys];

    [Theory]
    [MemberData(nameof(Projects))]
    public void Each_log_event_of_a_project_has_a_number_of_its_own(string project)
    {
        var (assembly, first, last) = Numbers[project];
        var events = assembly.GetTypes()
            .SelectMany(type => type.GetMethods(BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic))
            .Select(method => method.GetCustomAttribute<LoggerMessageAttribute>()?.EventId).OfType<int>().ToArray();

        Assert.NotEmpty(events);
        Assert.Equal(events.Distinct(), events);
        Assert.All(events, number => Assert.InRange(number, first, last));
    }
}

/// <summary>The folders of these tests are those of the product, so that a test is found by what it is about.</summary>
public sealed class MirrorTests
{
    private const string Tests = "tests/PubSubOverWs.Tests/";

    // What is about no folder of the product, or helps tests of several.
    private static readonly string[] OwnFolders =
        ["", "Fuzz", "Fuzz/Framing", "Fuzz/Model", "LoadTest", "LoadTest/Harness/Clients/Scripts", "Relay/Harness", "Repository"];

    private static readonly string[] Product = [.. SourceTree.Files("src", ".cs").Concat(SourceTree.Files("loadtest", ".cs"))
        .Select(path => path.Replace("PubSubOverWs.Report/", "PubSubOverWs.", StringComparison.Ordinal))
        .Select(path => path[(path.IndexOf("PubSubOverWs.", StringComparison.Ordinal) + "PubSubOverWs.".Length)..])];

    [Fact]
    public void Each_folder_of_tests_is_one_of_the_product() => Assert.Empty(
        Files().Select(Folder).Distinct().Except(Product.Select(Folder)).Except(OwnFolders));

    [Fact]
    public void A_test_class_that_is_named_after_a_file_of_its_project_stands_in_the_folder_of_that_file()
    {
        var places = Product.ToLookup(path => (path.Split('/')[0], Path.GetFileNameWithoutExtension(path)), Folder);
        var elsewhere = Files().Where(path => path.EndsWith("Tests.cs", StringComparison.Ordinal))
            .Select(path => (Path: path, Places: places[(path.Split('/')[0], Path.GetFileNameWithoutExtension(path)[..^"Tests".Length])]))
            .Where(test => test.Places.Any() && !test.Places.Contains(Folder(test.Path)));

        Assert.Equal([], elsewhere.Select(test => $"{test.Path} is about a file in {test.Places.First()}"));
    }

    private static IEnumerable<string> Files() => SourceTree.Files(Tests, ".cs").Select(path => path[Tests.Length..]);

    private static string Folder(string path) => Path.GetDirectoryName(path)!.Replace('\\', '/');
}
