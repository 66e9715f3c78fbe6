using System.CommandLine;
using System.Text.RegularExpressions;
using PubSubOverWs.LoadTest.Commands;
using PubSubOverWs.Tests.Repository;

namespace PubSubOverWs.Tests.LoadTest.Commands;

public sealed class VariablesTests
{
    private readonly TestTerminal _terminal = new();

    [Theory]
    [InlineData("--users", "PUBSUBOVERWS_USERS")]
    [InlineData("--sqs-endpoint", "PUBSUBOVERWS_SQS_ENDPOINT")]
    public void A_variable_is_named_after_its_option(string option, string variable) => Assert.Equal(variable, Variables.NameOf(option));

    [Fact]
    public void The_page_on_the_environment_has_every_variable_of_an_option() => Assert.Equal(
        _terminal.Commands().SelectMany(WithSubcommands).SelectMany(Variables.OptionsOf)
            .Select(option => Variables.NameOf(option.Name)).Append("PUBSUBOVERWS_VERBOSE").Distinct(),
        Regex.Matches(SourceTree.Read("docs/reference/environment.md"), "PUBSUBOVERWS_[A-Z_]*[A-Z]").Select(match => match.Value));

    [Fact]
    public async Task Asking_for_the_version_is_no_option_that_a_variable_sets()
    {
        _terminal.Variables["PUBSUBOVERWS_VERSION"] = "1.2.3";

        Assert.Equal(0, await _terminal.RunAsync("--version"));
    }

    [Fact]
    public async Task A_variable_sets_an_option_that_the_command_line_does_not_set()
    {
        _terminal.Variables["PUBSUBOVERWS_DRY_RUN"] = "true";
        _terminal.Variables["PUBSUBOVERWS_USERS"] = "7,9";

        Assert.Equal(0, await _terminal.RunAsync("run smoke"));

        Assert.Contains("7, 9", _terminal.Output);
    }

    [Theory]
    [InlineData("5", "run smoke --dry-run --users 7,9")]
    [InlineData("", "run smoke --dry-run --users 7,9")]
    public async Task The_command_line_takes_precedence_and_an_empty_variable_is_ignored(string variable, string arguments)
    {
        _terminal.Variables["PUBSUBOVERWS_USERS"] = variable;

        Assert.Equal(0, await _terminal.RunAsync(arguments));

        Assert.Contains("7, 9", _terminal.Output);
    }

    [Theory]
    [InlineData("PUBSUBOVERWS_SQS_ENDPOINT", "", "LocalSqs")]
    [InlineData("PUBSUBOVERWS_SQS_ENDPOINT", "http://10.0.0.1:4566", "queue at http://10.0.0.1:4566/")]
    [InlineData("PUBSUBOVERWS_SQS", "", "LocalSqs")]
    [InlineData("PUBSUBOVERWS_SQS", "local", "LocalSqs")]
    public async Task An_empty_variable_of_the_queue_is_the_embedded_one_and_never_AWS(string name, string value, string queue)
    {
        _terminal.Variables[name] = value;

        Assert.Equal(0, await _terminal.RunAsync("run smoke --dry-run"));

        Assert.Contains($"pubsub server, {queue}", _terminal.Output);
        Assert.DoesNotContain("Amazon", _terminal.Output);
    }

    [Fact]
    public async Task A_variable_that_names_a_queue_does_not_give_way_to_AWS()
    {
        _terminal.Variables["PUBSUBOVERWS_SQS_ENDPOINT"] = "http://10.0.0.1:4566";

        Assert.Equal(5, await _terminal.RunAsync("run smoke --dry-run --sqs aws --region eu-west-1"));

        Assert.StartsWith("--sqs and --sqs-endpoint name two queues", _terminal.Error);
    }

    [Fact]
    public async Task Variables_of_other_commands_are_ignored()
    {
        _terminal.Variables["PUBSUBOVERWS_USERS"] = "many";

        Assert.Equal(0, await _terminal.RunAsync("version"));
    }

    [Theory]
    [InlineData("PUBSUBOVERWS_ITERATIONS", "many", "--iterations 'many' is not a whole number of at least 1.")]
    [InlineData(
        "PUBSUBOVERWS_DIRECT", "direct:8080",
        "--direct 'direct:8080' is not a usable address: write it as http://host:port or ws://host:port.")]
    public async Task A_value_that_its_option_does_not_take_is_refused_by_the_name_of_the_variable(
        string name, string value, string sentence)
    {
        _terminal.Variables[name] = value;

        Assert.Equal(5, await _terminal.RunAsync("run smoke --dry-run"));

        Assert.Equal($"The environment variable {name} is '{value}': {sentence}{Environment.NewLine}", _terminal.Error);
    }

    private static IEnumerable<Command> WithSubcommands(Command command) =>
        command.Subcommands.Where(one => !one.Hidden).SelectMany(WithSubcommands).Prepend(command);
}
