using System.Text.RegularExpressions;

namespace PubSubOverWs.Tests.Repository;

/// <summary>
/// The lists of files in <c>docs/architecture.md</c>, of what one opens to follow a message or a run: they are short, they name files that
/// exist, and each file is named by one before it, or has a type that derives from one of theirs.
/// </summary>
public sealed partial class PathTests
{
    private static readonly string Document = SourceTree.Read("docs/architecture.md");

    [Theory]
    [InlineData("### Direct", 12)]
    [InlineData("### Pubsub", 20)]
    [InlineData("### The files of a run", 20)]
    public void A_path_is_short_and_each_file_on_it_is_reached_from_one_before_it(string heading, int most)
    {
        var files = Section(heading);

        Assert.InRange(files.Length, 2, most);
        Assert.Equal(Enumerable.Range(1, files.Length), files.Select(file => file.Number));
        Assert.Equal(files.Length, files.Select(file => file.Path).Distinct().Count());
        Assert.All(files, file => Assert.True(File.Exists(Path.Combine(SourceTree.Root, file.Path)), $"{file.Path} is not there."));
        Assert.All(files, file => Assert.Equal(Path.GetFileNameWithoutExtension(file.Path), file.Name));
        for (var i = 1; i < files.Length; i++)
        {
            var next = files[i];
            Assert.True(
                files.Take(i).Any(earlier => Names(earlier, next) || IsBaseOf(earlier, next))
                    || files.Take(i).Any(earlier => ReadsTheQueue(earlier, next)),
                $"{heading}: no file before {next.Path} names a type of it, and none of its types derives from one of theirs.");
        }
    }

    [Theory]
    [InlineData("### Direct")]
    [InlineData("### Pubsub")]
    [InlineData("### The files of a run")]
    public void A_name_in_a_step_is_in_the_file_of_the_step(string heading) => Assert.All(
        Section(heading).SelectMany(step => Quoted().Matches(step.Adds).Select(quoted => (Step: step, Name: quoted.Groups["name"].Value))),
        one => Assert.True(Mentions(Code(one.Step), one.Name), $"{one.Step.Path} has no {one.Name}, which {heading} says of it."));

    [Theory]
    [InlineData("the receive loop", ".Socket.ReceiveAsync(")]
    [InlineData("the take", "bool TryTake(Delivery")]
    [InlineData("the socket write", "socket.SendAsync(")]
    public void The_code_that_a_phrase_describes_is_in_the_file_of_its_step(string phrase, string code)
    {
        var steps = Section("### Direct").Concat(Section("### Pubsub"))
            .Where(step => step.Adds.StartsWith(phrase, StringComparison.Ordinal) || step.Adds.Contains($"and {phrase}")).ToArray();

        Assert.Equal(2, steps.Length);
        Assert.All(steps, step => Assert.Contains(code, Code(step), StringComparison.Ordinal));
    }

    private static Step[] Section(string heading) =>
    [
        .. string.Join('\n', Document.Split('\n').SkipWhile(line => line != heading).Skip(1).TakeWhile(line => !line.StartsWith('#')))
            .Replace("\n ", "", StringComparison.Ordinal).Split('\n')
            .Select(line => Item().Match(line)).Where(item => item.Success)
            .Select(item => item.Groups)
            .Select(item => new Step(int.Parse(item["number"].ValueSpan), item["name"].Value, item["path"].Value, item["adds"].Value)),
    ];

    private static bool Names(Step one, Step other) => Types(other).Any(type => Mentions(Code(one), type));

    private static bool IsBaseOf(Step one, Step other) => Bases().Matches(Code(other)).Select(match => match.Groups["bases"].Value)
        .Any(bases => Types(one).Any(type => Mentions(bases, type)));

    // Behind IQueue a message leaves the process: what takes it from the queue again is not named by what put it there.
    private static bool ReadsTheQueue(Step one, Step other) => one.Name == "IQueue" && other.Name == "QueuePoller" && Names(other, one);

    private static IEnumerable<string> Types(Step step) => Declared().Matches(Code(step)).Select(match => match.Groups["name"].Value);

    private static bool Mentions(string code, string name) => Regex.IsMatch(code, $@"\b{Regex.Escape(name)}\b");

    private static string Code(Step step) => Comment().Replace(SourceTree.Read(step.Path), "");

    private sealed record Step(int Number, string Name, string Path, string Adds);

    [GeneratedRegex(@"^(?<number>\d+)\. \[`(?<name>[^`]+)`\]\(\.\./(?<path>[^)]+)\): (?<adds>.+)$")]
    private static partial Regex Item();

    [GeneratedRegex("`(?<name>[^`]+)`")]
    private static partial Regex Quoted();

    // What stands behind the colon of a class, after its parameters.
    [GeneratedRegex(@"^(?:(?:public|internal|abstract|sealed|partial) )*(?:class|record) \w+(?:\((?:[^()]|\([^()]*\))*\))?"
        + @"\s*:\s*(?<bases>[^{;]+)", RegexOptions.Multiline)]
    private static partial Regex Bases();

    [GeneratedRegex(@"//.*")]
    private static partial Regex Comment();

    [GeneratedRegex(@"^(?:(?:public|internal|private|static|abstract|sealed|partial|readonly|ref) )*"
        + @"(?:class|interface|enum|record struct|record|struct) (?<name>\w+)", RegexOptions.Multiline)]
    private static partial Regex Declared();
}
