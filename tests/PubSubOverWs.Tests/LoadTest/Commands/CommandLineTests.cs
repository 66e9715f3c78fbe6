using System.CommandLine;
using PubSubOverWs.LoadTest.Commands;

namespace PubSubOverWs.Tests.LoadTest.Commands;

public sealed class CommandLineTests
{
    private readonly TestTerminal _terminal = new();

    [Theory]
    [InlineData("version")]
    [InlineData("--version")]
    [InlineData("-v")]
    public async Task Version_names_program_commit_and_runtime(string argument)
    {
        Assert.Equal(0, await _terminal.RunAsync(argument));

        Assert.Matches(@"^PubSubOverWs \d+\.\d+\.\d+\S*, commit (unknown|[0-9a-f]{7,}(-changed)?), \.NET 10\.", _terminal.Output);
    }

    [Fact]
    public async Task Help_is_not_an_error()
    {
        Assert.Equal(0, await _terminal.RunAsync("run --help"));

        Assert.Contains("--sqs-endpoint", _terminal.Output);
        Assert.Empty(_terminal.Error);
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
}
