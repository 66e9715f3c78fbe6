using System.Globalization;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.SqsContract;

/// <summary>Every receive of a message has a receipt handle of its own, and is counted.</summary>
internal static class Receipts
{
    [Behaviour]
    public static async Task Receives_are_counted(Trial trial)
    {
        var url = await trial.CreateQueueAsync();
        var id = Assert.Single(await trial.Sqs.SendTextsAsync(url, "a"));

        for (var receives = 1; receives <= 3; receives++)
        {
            var message = await trial.Sqs.ReceiveOneAsync(url, TimeSpan.Zero);
            Assert.Equal((id, receives), (message.MessageId, message.ApproximateReceiveCount));
        }
    }

    [Behaviour]
    public static async Task The_handle_of_an_earlier_receive_deletes_nothing(Trial trial)
    {
        var url = await trial.CreateQueueAsync();
        await trial.Sqs.SendTextsAsync(url, "a");
        var earlier = await trial.Sqs.ReceiveOneAsync(url, TimeSpan.Zero);
        var latest = await trial.Sqs.ReceiveOneAsync(url);

        await trial.Sqs.DeleteAsync(url, earlier);

        Assert.NotEqual(earlier.ReceiptHandle, latest.ReceiptHandle);
        await trial.Sqs.ReleaseAsync(url, latest);
        Assert.Equal("a", (await trial.Sqs.ReceiveOneAsync(url)).Text());
    }

    [Behaviour]
    public static async Task The_handle_of_another_queue_is_refused(Trial trial)
    {
        var url = await trial.CreateQueueAsync();
        var other = await trial.CreateQueueAsync();
        await trial.Sqs.SendTextsAsync(url, "a");
        var message = await trial.Sqs.ReceiveOneAsync(url);

        var result = Assert.Single(await trial.Sqs.SettleAsync(other, [message.ReceiptHandle], CancellationToken.None));

        Assert.Equal(SqsErrorCode.ReceiptHandleIsInvalid, result.Failure?.Code);
    }

    [Behaviour]
    public static async Task A_message_tells_when_it_was_sent_and_first_received(Trial trial)
    {
        var url = await trial.CreateQueueAsync();
        var before = TimeProvider.System.GetUtcNow();
        await trial.Sqs.SendTextsAsync(url, "a");
        await trial.Sqs.ReceiveOneAsync(url, TimeSpan.Zero);

        var attributes = (await trial.Raw.ReceiveOneAsync(url, "All")).GetProperty("Attributes");

        var (sent, first) = (Time("SentTimestamp"), Time("ApproximateFirstReceiveTimestamp"));
        // The endpoint has a clock of its own.
        Assert.InRange(sent, before.AddMinutes(-5), before.AddMinutes(5));
        Assert.InRange(first, sent, sent.AddMinutes(5));
        Assert.Equal("2", attributes.GetProperty("ApproximateReceiveCount").GetString());

        DateTimeOffset Time(string name) =>
            DateTimeOffset.FromUnixTimeMilliseconds(long.Parse(attributes.GetProperty(name).GetString()!, CultureInfo.InvariantCulture));
    }

    [Behaviour]
    public static async Task A_receive_that_brings_nothing_has_no_messages_in_its_answer(Trial trial)
    {
        var url = await trial.CreateQueueAsync();

        var answer = await trial.Raw.CallAsync("ReceiveMessage", new { QueueUrl = url });

        Assert.False(answer.Json.TryGetProperty("Messages", out var messages) && messages.GetArrayLength() > 0);
    }
}
