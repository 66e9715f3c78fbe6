using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.Tests.LoadTest.Harness.Targets;

public sealed class StatsReaderTests
{
    [Fact]
    public void The_queue_of_a_server_that_was_already_there_is_read_from_its_stats() => Assert.Equal(
        ("http://q/000000000000/mine", "http://q/000000000000/mine-dead", "http://q/000000000000/mine-parked"),
        StatsReader.QueueIn(
            """
            {"queue":{"name":"mine","url":"http://q/000000000000/mine","deadLetterUrl":"http://q/000000000000/mine-dead",
            "parkedUrl":"http://q/000000000000/mine-parked"}}
            """));

    [Theory]
    [InlineData("""{"queue":null}""")]
    [InlineData("{}")]
    [InlineData("""{"queue":{"length":3}}""")]
    public void A_server_that_names_no_queue_has_no_queue(string stats) => Assert.Null(StatsReader.QueueIn(stats));
}
