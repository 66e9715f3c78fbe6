using PubSubOverWs.LoadTest.Bench.Peers;

namespace PubSubOverWs.Tests.LoadTest.Bench.Peers;

public sealed class PeersCommandTests
{
    [Theory]
    [InlineData("")]
    [InlineData("--rows cpu,idle-memory --pairs 3 --for 2 --out peers.json --markdown peers.md")]
    [InlineData("--rows fan-out pubsub --quick")]
    [InlineData("--secure")]
    [InlineData("--secure --rows cpu-together")]
    public void Valid_arguments_are_accepted(string arguments) => Assert.Empty(Errors(arguments));

    [Theory]
    [InlineData("--rows cpus", "did you mean 'cpu'?")]
    [InlineData("--pairs 0", "--pairs '0'")]
    [InlineData("--for 0", "--for '0'")]
    [InlineData("--secure --rows cpu fan-out", "--secure measures cpu and cpu-together, not fan-out")]
    public void Invalid_arguments_are_refused(string arguments, string named) =>
        Assert.Contains(Errors(arguments), error => error.Contains(named, StringComparison.Ordinal));

    private static List<string> Errors(string arguments) =>
        [.. PeersCommand.Create().Parse(arguments.Split(' ', StringSplitOptions.RemoveEmptyEntries)).Errors.Select(error => error.Message)];
}
