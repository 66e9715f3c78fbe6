namespace PubSubOverWs.Tests.LoadTest.Commands;

/// <summary>What the shells of docs/reference/command.md are told; how bash hands it on is tried with the program itself.</summary>
public sealed class CompletionTests
{
    private readonly TestTerminal _terminal = new();

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
}
