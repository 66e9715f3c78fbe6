using PubSubOverWs.Record.Files;
using PubSubOverWs.Report.Costs;

namespace PubSubOverWs.Tests.Report.Costs;

/// <summary>
/// Expected figures are worked out by hand from Amazon's price list: $0.40 for a million requests, each started 64 KiB is one.
/// </summary>
public sealed class QueueRequestsTests
{
    [Theory]
    // Send, receive, delete: three for each of 10,000 messages, or for each ten of them.
    [InlineData(10_000, 100, 1, 30_000, "0.012")]
    [InlineData(10_000, 100, 10, 3_000, "0.0012")]
    // The last call carries one message.
    [InlineData(11, 100, 10, 6, "0.0000024")]
    // 65,536 bytes are one request, one byte more are two; a delete stays one.
    [InlineData(1, 65_536, 1, 3, "0.0000012")]
    [InlineData(1, 65_537, 1, 5, "0.000002")]
    // Ten messages of 10 KiB in a call are 100 KiB: two requests to send, two to receive, one to delete.
    [InlineData(10, 10_240, 10, 5, "0.000002")]
    // 1 MiB is 16 requests each way.
    [InlineData(1, 1_048_576, 1, 33, "0.0000132")]
    [InlineData(0, 100, 10, 0, "0")]
    public void The_cost_of_messages_depends_on_the_number_of_calls_and_their_bytes(
        long messages, int bytes, int perCall, long requests, string dollars)
    {
        Assert.Equal(requests, QueueRequests.ToMove(messages, bytes, perCall));
        Assert.Equal(decimal.Parse(dollars, System.Globalization.CultureInfo.InvariantCulture), Bill(requests, requests).Dollars(requests));
    }

    [Theory]
    // 240 lapsing polls in an hour, in four loops.
    [InlineData(3600, 4, 15, 960)]
    [InlineData(16, 4, 15, 8)]
    [InlineData(0, 4, 15, 0)]
    public void A_queue_that_brings_nothing_costs_its_polls(int seconds, int loops, int waitSeconds, long requests) =>
        Assert.Equal(requests, QueueRequests.WhileNothingComes(TimeSpan.FromSeconds(seconds), loops, TimeSpan.FromSeconds(waitSeconds)));

    [Theory]
    // Ten rounds of three nodes: 90 sends, 30 lists, 6 looks at subscriptions, and each of the three receives and deletes 30 times, or
    // three times when ten come at once.
    [InlineData(20, 3, 1, 90 + 30 + 6 + 3 * 60)]
    [InlineData(20, 3, 10, 90 + 30 + 6 + 3 * 6)]
    [InlineData(0, 3, 1, 0)]
    public void The_cost_of_nodes_is_that_of_their_announcements(int seconds, int nodes, int perCall, long requests) =>
        Assert.Equal(requests, QueueRequests.ToKnowEachOther(TimeSpan.FromSeconds(seconds), nodes, TimeSpan.FromSeconds(2), perCall));

    [Fact]
    public void A_bill_is_written_with_its_price()
    {
        var bill = Bill(3_000, 30_000);

        Assert.Equal("3,000 to 30,000 requests to SQS, $0.0012 to $0.012 at $0.40 per million", BillText.Expected(bill));
        Assert.Equal("how many were made is not known", BillText.Made(bill));
        Assert.Equal("12,345 were made, $0.0049", BillText.Made(bill with { Made = 12_345 }));
    }

    private static QueueBill Bill(long least, long most) =>
        new() { PricePerMillion = 0.40m, ExpectedAtLeast = least, ExpectedAtMost = most };
}
