using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.WebUtilities;
using PubSubOverWs.LoadTest.Experiments.Interference;
using PubSubOverWs.LoadTest.Experiments.Interference.Load;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Interference.Load;

public sealed class StreamSettingsTests
{
    [Fact]
    public void A_client_that_asks_for_nothing_gets_what_is_published() =>
        Assert.Equal(new DummyMessages(1_048_576, 500), With("").Dummies);

    [Theory]
    [InlineData(10_240, 500, 0)]
    [InlineData(1_048_576, 20_000, 16_384)]
    [InlineData(0, 0, 0)]
    public void The_server_reads_the_settings_that_a_client_writes_into_its_path(int bytes, int periodUs, int chunk)
    {
        var asked = new StreamSettings(new DummyMessages(bytes, periodUs), chunk);

        Assert.Equal(asked, With(asked.PathAndQuery[asked.PathAndQuery.IndexOf('?', StringComparison.Ordinal)..]));
    }

    [Theory]
    [InlineData("?dummyBytes=0")]
    [InlineData("?dummyBytes=67108865")]
    [InlineData("?dummyBytes=many")]
    [InlineData("?dummyPeriodUs=-1")]
    [InlineData("?dummyPeriodUs=2000000001")]
    [InlineData("?chunkBytes=-1")]
    public void A_setting_out_of_its_range_is_refused(string query) => Assert.Null(StreamSettings.Published.With(Query(query)));

    [Theory]
    [InlineData(100, 0, new[] { 100 })]
    [InlineData(100, 100, new[] { 100 })]
    [InlineData(100, 40, new[] { 40, 40, 20 })]
    public void A_message_is_one_frame_or_as_many_as_it_has_chunks(int bytes, int chunk, int[] payloads) => Assert.Equal(
        payloads.Select(payload => payload + 2),
        new StreamSettings(new DummyMessages(bytes, 1), chunk).Frames().Select(frame => frame.Length));

    private static StreamSettings With(string query) => StreamSettings.Published.With(Query(query))!;

    private static QueryCollection Query(string text) => new(QueryHelpers.ParseQuery(text));
}
