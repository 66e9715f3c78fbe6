using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary>A command with so many options that its help has them in groups.</summary>
internal sealed class GroupedCommand(string name, string description) : Command(name, description)
{
    private readonly List<(string Title, IReadOnlyList<Option> Options)> _groups = [];

    /// <summary>In the order of the help; options of none come last.</summary>
    public IReadOnlyList<(string Title, IReadOnlyList<Option> Options)> Groups => _groups;

    /// <summary>Further lines of its help, by what stands beside <c>--help</c>.</summary>
    public Func<ParseResult, IEnumerable<string>> More { get; set; } = _ => [];

    public void Add(string title, IReadOnlyList<Option> options)
    {
        _groups.Add((title, options));
        foreach (var option in options)
            Add(option);
    }
}

/// <summary>
/// Help as the parser's library writes it, with the options of a <see cref="GroupedCommand"/> in their groups, and a last line on
/// environment variables. The library's own writer cannot be changed from outside, so that its lines are put into another order.
/// </summary>
public sealed class GroupedHelp : SynchronousCommandLineAction
{
    private const string Options = "Options:";

    private readonly HelpAction _plain = new();

    public override bool ClearsParseErrors => true;

    public override int Invoke(ParseResult parseResult)
    {
        var configuration = parseResult.InvocationConfiguration;
        var command = parseResult.CommandResult.Command;
        var output = configuration.Output;
        using var plain = new StringWriter();
        configuration.Output = plain;
        var code = _plain.Invoke(parseResult);
        configuration.Output = output;

        foreach (var line in Arranged(command, plain.ToString().TrimEnd().Split(plain.NewLine)))
            output.WriteLine(line);
        foreach (var line in (command as GroupedCommand)?.More(parseResult) ?? [])
            output.WriteLine(line);
        if (Variables.OptionsOf(command).FirstOrDefault() is { } first)
        {
            output.WriteLine();
            output.WriteLine($"Every option can also be set by an environment variable, such as {first.Name} by");
            output.WriteLine($"{Variables.NameOf(first.Name)}: docs/reference/environment.md has them all.");
        }

        output.WriteLine();
        return code;
    }

    private static string[] Arranged(Command command, string[] lines)
    {
        var start = Array.IndexOf(lines, Options);
        if (command is not GroupedCommand { Groups: var groups } || start < 0)
            return lines;
        var end = Array.FindIndex(lines, start, line => line.Length == 0) is > 0 and var blank ? blank : lines.Length;
        var rows = Rows(lines[(start + 1)..end])
            .ToLookup(row => (string?)groups.FirstOrDefault(group => group.Options.Any(row.IsOf)).Title);
        return
        [
            .. lines[..start],
            .. groups.SelectMany(group => Section($"{group.Title}:", rows[group.Title]).Append("")),
            .. Section(Options, rows[null]),
            .. lines[end..],
        ];
    }

    private static IEnumerable<string> Section(string title, IEnumerable<Row> rows) => rows.SelectMany(row => row.Lines).Prepend(title);

    // A row begins with the option; further lines of it are indented more.
    private static IEnumerable<Row> Rows(string[] lines)
    {
        var starts = Enumerable.Range(0, lines.Length).Where(i => lines[i].StartsWith("  -", StringComparison.Ordinal)).ToArray();
        return starts.Select((start, i) => new Row(lines[start..(i + 1 < starts.Length ? starts[i + 1] : lines.Length)]));
    }

    private sealed record Row(string[] Lines)
    {
        private readonly string _name = Lines[0].Split([' ', ','], StringSplitOptions.RemoveEmptyEntries)[0];

        public bool IsOf(Option option) => option.Name == _name || option.Aliases.Contains(_name);
    }
}

/// <summary>The option of all commands that also print a document for programs.</summary>
public static class JsonOption
{
    /// <param name="document">What is printed, such as <c>report.json</c>.</param>
    public static Option<bool> Create(string document) => new("--json")
    { Description = $"print {document} and nothing else on standard output; docs/reference/command.md names its schema" };
}
