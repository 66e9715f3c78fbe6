using PubSubOverWs.LoadTest.Commands;

namespace PubSubOverWs.Tests.LoadTest.Commands;

public sealed class RetiredCommandTests
{
    private readonly TestTerminal _terminal = new();

    [Theory]
    [InlineData("kills")]
    [InlineData("kills --messages 1000 --out kills.json")]
    public async Task A_command_that_a_run_has_taken_the_place_of_names_it(string arguments)
    {
        var code = await CommandLine.RunAsync(
            arguments.Split(' '), [RetiredCommand.Create("kills", "run kills")], _terminal.Terminal, CancellationToken.None);

        Assert.Equal(5, code);
        Assert.Equal(
            $"'kills' is now a run that leaves a record: say run kills, or run kills --quick for its smaller form.{Environment.NewLine}",
            _terminal.Error);
    }
}
