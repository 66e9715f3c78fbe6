using PubSubOverWs.LoadTest.Commands;

namespace PubSubOverWs.Tests.LoadTest.Commands;

public sealed class HiddenCommandTests
{
    private readonly TestTerminal _terminal = new();

    [Theory]
    [InlineData("kills")]
    [InlineData("kills --messages 1000 --out kills.json")]
    [InlineData("nodes --fault pause --fault-for 5s")]
    public async Task A_command_that_a_run_replaced_names_the_run(string arguments)
    {
        var name = arguments.Split(' ')[0];

        var code = await CommandLine.RunAsync(
            arguments.Split(' '), [HiddenCommand.Retired(name, $"run {name}")], _terminal.Terminal, CancellationToken.None);

        Assert.Equal(5, code);
        Assert.Equal(
            $"'{name}' is now a run that leaves a record: use run {name}, or run {name} --quick for its smaller form.{Environment.NewLine}",
            _terminal.Error);
    }

    [Theory]
    [InlineData("bench readers")]
    [InlineData("bench readers --connections 20 --deaf 3 --out figures.json")]
    public async Task A_bench_that_a_run_replaced_names_the_run(string arguments)
    {
        Assert.Equal(5, await _terminal.RunAsync(arguments));
        Assert.Equal(
            "'bench readers' is now a run that leaves a record: use run stalled-readers, or run stalled-readers --quick for its smaller "
                + $"form.{Environment.NewLine}",
            _terminal.Error);
    }
}
