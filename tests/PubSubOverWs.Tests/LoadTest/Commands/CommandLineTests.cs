using System.CommandLine;
using System.Text.RegularExpressions;
using PubSubOverWs.LoadTest.Commands;

namespace PubSubOverWs.Tests.LoadTest.Commands;

/// <summary>Help, completion, and what all commands have in common.</summary>
public sealed partial class CommandLineTests
{
    private readonly TestTerminal _terminal = new();

    [Theory]
    [InlineData("version")]
    [InlineData("--version")]
    [InlineData("-v")]
    public async Task Version_names_program_commit_and_runtime(string argument)
    {
        Assert.Equal(0, await _terminal.RunAsync(argument));

        Assert.Matches(
            @"^PubSubOverWs \d+\.\d+\.\d+\S*, commit (unknown|[0-9a-f]{7,}(-changed|-unchecked)?), \.NET 10\.", _terminal.Output);
    }

    [Theory]
    [InlineData("help", "--help")]
    [InlineData("help run", "run --help")]
    [InlineData("help queues clean", "queues clean --help")]
    public async Task Help_is_a_word_too(string words, string option)
    {
        var other = new TestTerminal();
        Assert.Equal(0, await other.RunAsync(option));

        Assert.Equal(0, await _terminal.RunAsync(words));

        Assert.Equal(other.Output, _terminal.Output);
    }

    [Theory]
    [InlineData("help runn", "There is no command 'runn', did you mean 'run'?")]
    [InlineData("help nonsense", "There is no command 'nonsense'.")]
    [InlineData("nonsense --help", "There is no command 'nonsense'.")]
    public async Task Help_on_a_word_that_is_no_command_is_refused(string words, string sentence)
    {
        Assert.Equal(5, await _terminal.RunAsync(words));

        Assert.StartsWith(sentence, _terminal.Error);
    }

    [Theory]
    [InlineData("break", false)]
    [InlineData("break --verbose", true)]
    public async Task An_unexpected_error_is_one_line_and_exit_code_1_with_details_on_demand(string arguments, bool details)
    {
        var broken = new Command("break");
        broken.SetAction(new Func<ParseResult, int>(_ => throw new InvalidOperationException("it broke")));

        Assert.Equal(1, await CommandLine.RunAsync(arguments.Split(' '), [broken], _terminal.Terminal, CancellationToken.None));

        Assert.StartsWith("Unexpected error: it broke Run pubsub-over-ws again with --verbose", _terminal.Error);
        Assert.Equal(details, _terminal.Error.Contains("   at ", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_command_that_the_user_stopped_ends_with_3()
    {
        using var stop = new CancellationTokenSource();
        var slow = new Command("slow");
        slow.SetAction(async (_, stopping) =>
        {
            await stop.CancelAsync();
            stopping.ThrowIfCancellationRequested();
            return 0;
        });

        Assert.Equal(3, await CommandLine.RunAsync(["slow"], [slow], _terminal.Terminal, stop.Token));
    }

    [Fact]
    public async Task The_options_of_a_run_stand_in_groups_and_each_once()
    {
        Assert.Equal(0, await _terminal.RunAsync("run --help"));

        var groups = Groups(_terminal.Output);
        Assert.Equal(["Load", "Arms", "Faults", "Queue", "Output", "Options"], groups.Keys);
        Assert.Equal(["-?", "--verbose"], groups["Options"]);
        Assert.Contains("--users", groups["Load"]);
        Assert.Contains("--target", groups["Arms"]);
        Assert.Contains("--fault", groups["Faults"]);
        Assert.Contains("--queue-latency", groups["Queue"]);
        Assert.Contains("--json", groups["Output"]);
        Assert.Equal(
            RunCommand.Create(_terminal.Terminal).Options.Select(option => option.Name).Order(StringComparer.Ordinal),
            groups.Where(group => group.Key != "Options").SelectMany(group => group.Value).Order(StringComparer.Ordinal));
    }

    [Theory]
    [InlineData("pubsub-over-ws ", "run")]
    [InlineData("pubsub-over-ws comp", "compare")]
    [InlineData("pubsub-over-ws run sm", "smoke")]
    [InlineData("pubsub-over-ws run smoke --us", "--users")]
    [InlineData("pubsub-over-ws doctor pap", "paper")]
    [InlineData("pubsub-over-ws queues cl", "clean")]
    [InlineData("pubsub-over-ws run faults --fault chu", "churn")]
    [InlineData("pubsub-over-ws run paper --aa ", "pubsub")]
    [InlineData("pubsub-over-ws run paper --client b", "browser")]
    [InlineData("pubsub-over-ws run paper --sqs ", "aws")]
    [InlineData("pubsub-over-ws run paper --queue-latency ", "aws")]
    public async Task A_line_that_is_not_finished_has_suggestions(string line, string suggestion)
    {
        Assert.Equal(0, await _terminal.RunAsync($"[suggest:{line.Length}]", line));

        Assert.Contains(suggestion, _terminal.Output.Split(Environment.NewLine));
    }

    /// <summary>The options below each title, by their first name.</summary>
    private static Dictionary<string, string[]> Groups(string help) => Title().Split(help.ReplaceLineEndings("\n"))[1..].Chunk(2)
        .Where(section => section[1].StartsWith("\n  -", StringComparison.Ordinal))
        .ToDictionary(section => section[0], section => Option().Matches(section[1]).Select(row => row.Groups["name"].Value).ToArray());

    [GeneratedRegex(@"^(\w+):$", RegexOptions.Multiline)]
    private static partial Regex Title();

    [GeneratedRegex(@"^  (?<name>-[^ ,]+)", RegexOptions.Multiline)]
    private static partial Regex Option();
}
