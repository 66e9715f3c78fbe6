using System.Text.RegularExpressions;
using PubSubOverWs.LoadTest.Commands;

namespace PubSubOverWs.Tests.LoadTest.Commands;

public sealed partial class GroupedHelpTests
{
    private readonly TestTerminal _terminal = new();

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
    [InlineData("report")]
    [InlineData("compare")]
    public async Task A_command_without_groups_has_all_options_in_one(string command)
    {
        Assert.Equal(0, await _terminal.RunAsync($"{command} --help"));

        Assert.Equal(["Options"], Groups(_terminal.Output).Keys);
    }

    [Theory]
    [InlineData("--help", "pubsub-over-ws [command] [options]")]
    [InlineData("run --help", "pubsub-over-ws run [<SCENARIO>] [options]")]
    [InlineData("queues clean --help", "pubsub-over-ws queues clean [options]")]
    public async Task Help_names_the_program_as_its_users_start_it(string arguments, string usage)
    {
        Assert.Equal(0, await _terminal.RunAsync(arguments));

        Assert.Contains($"  {usage}{Environment.NewLine}", _terminal.Output, StringComparison.Ordinal);
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
