using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.Tests.LoadTest.Harness.Processes;

public sealed class ChildFailureTests
{
    private static readonly ChildCommand Command = new("pubsub", "pubsub.dll", []);

    [Fact]
    public void A_child_that_refuses_how_it_was_set_up_says_itself_why_and_ends_the_program_with_5()
    {
        var failure = ChildFailure.Ended(
            Command, new ChildExit(5, Killed: false, ["warn: something else", "There is no setting Sqs:Quue: section Sqs has Queue."]));

        Assert.Equal(5, failure.ExitCode);
        Assert.Equal(
            "The pubsub server cannot start with its settings: There is no setting Sqs:Quue: section Sqs has Queue.", failure.Message);
    }

    [Fact]
    public void A_child_that_could_not_reach_its_queue_ends_the_program_with_10()
    {
        var failure = ChildFailure.Ended(Command, new ChildExit(10, Killed: false, ["nobody answers at http://127.0.0.1:1"]));

        Assert.Equal(10, failure.ExitCode);
        Assert.Contains("could not reach its queue", failure.Message, StringComparison.Ordinal);
        Assert.Contains("nobody answers at http://127.0.0.1:1", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Any_other_end_is_reported_with_its_exit_code_and_last_lines()
    {
        var failure = ChildFailure.Ended(Command, new ChildExit(134, Killed: false, ["out of memory"]));

        Assert.Equal(10, failure.ExitCode);
        Assert.Contains("exit code 134", failure.Message, StringComparison.Ordinal);
        Assert.Contains("out of memory", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_child_that_is_not_ready_in_time_is_reported_with_the_path_that_was_asked()
    {
        var failure = ChildFailure.NotReady(Command, TimeSpan.FromSeconds(30), []);

        Assert.Equal(10, failure.ExitCode);
        Assert.Equal(
            "The pubsub server did not answer 200 at /health/ready within 30 s, and was stopped. It had no output.", failure.Message);
    }
}
