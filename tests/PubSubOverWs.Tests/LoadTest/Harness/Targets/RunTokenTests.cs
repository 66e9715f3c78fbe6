using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.Tests.LoadTest.Harness.Targets;

public sealed class RunTokenTests
{
    private static readonly DateTimeOffset Now = new(2026, 3, 4, 5, 6, 7, TimeSpan.Zero);

    [Fact]
    public void A_token_is_sixteen_letters_and_digits_that_begin_with_the_time() =>
        Assert.Matches("^260304050607[0-9a-f]{4}$", RunToken.Draw(Now).Text);

    [Fact]
    public void Every_block_gets_a_queue_of_its_own_whose_name_sqs_allows()
    {
        var token = RunToken.Draw(Now);

        Assert.NotEqual(token.Queue(1), token.Queue(2));
        Assert.Matches("^[A-Za-z0-9_-]{1,75}$", token.Queue(10_000));
        Assert.True(RunToken.Named(token.Queue(1)) && RunToken.Named(token.Queue(1) + "-dead"));
    }

    [Theory]
    [InlineData("pubsub-over-ws")]
    [InlineData("pubsub-over-ws-dead")]
    [InlineData("pubsuboverws-")]
    [InlineData("pubsuboverws-production")]
    [InlineData("pubsuboverws-260304050607abcd")]
    [InlineData("mine-pubsuboverws-260304050607abcd-1")]
    public void A_name_that_no_run_gave_is_not_taken_for_one(string name) => Assert.False(RunToken.Named(name));
}
