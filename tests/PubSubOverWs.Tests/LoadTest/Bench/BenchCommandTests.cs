using PubSubOverWs.LoadTest.Bench;

namespace PubSubOverWs.Tests.LoadTest.Bench;

public class BenchCommandTests
{
    [Theory]
    [InlineData("")]
    [InlineData("relay")]
    [InlineData("relay idle --connections 10 --depth 2 --payload 100 --seconds 1 --pairs 1 --only direct --out figures.json")]
    [InlineData("misbehaving --misbehaving 3 --misbehaviour none give-back")]
    public void Valid_arguments_are_accepted(string arguments) => Assert.Empty(Errors(arguments));

    [Theory]
    [InlineData("topic", "topic")]
    [InlineData("--depth 0", "--depth '0'")]
    [InlineData("--connections 0", "--connections '0'")]
    [InlineData("--seconds -1", "--seconds '-1'")]
    [InlineData("--only both", "--only 'both'")]
    [InlineData("relay --deaf 5", "--deaf")]
    [InlineData("rely", "did you mean 'relay'?")]
    [InlineData("misbehaving --misbehaviour give-bac", "did you mean 'give-back'?")]
    public void Invalid_arguments_are_refused(string arguments, string named) =>
        Assert.Contains(Errors(arguments), error => error.Contains(named, StringComparison.Ordinal));

    private static List<string> Errors(string arguments) =>
        [.. BenchCommand.Create().Parse(arguments.Split(' ', StringSplitOptions.RemoveEmptyEntries)).Errors.Select(error => error.Message)];
}
