using PubSubOverWs.Sqs;

namespace PubSubOverWs.SqsContract;

/// <summary>FIFO queues themselves, and their rules for a message. Bodies name their group and their place in it.</summary>
internal static class Fifo
{
    [Behaviour]
    public static async Task A_FIFO_queue_has_the_attributes_it_was_created_with(Trial trial)
    {
        var name = trial.NewFifoName();
        var url = await trial.CreateQueueAsync(name, new QueueSettings { FifoQueue = true, ContentBasedDeduplication = true });

        var settings = (await trial.Sqs.GetQueueAttributesAsync(url, CancellationToken.None)).Settings;

        Assert.Equal((true, true), (settings.FifoQueue, settings.ContentBasedDeduplication));
        Assert.Equal(url, await trial.Sqs.GetQueueUrlAsync(name, CancellationToken.None));
    }

    [Behaviour]
    public static async Task The_name_and_the_attribute_must_both_say_FIFO(Trial trial)
    {
        var fifo = new QueueSettings { FifoQueue = true };

        await Steps.RefusedAsync(SqsErrorCode.InvalidParameterValue, trial.CreateQueueAsync(trial.NewName(), fifo));
        await Steps.RefusedAsync(SqsErrorCode.InvalidParameterValue, trial.CreateQueueAsync(trial.NewFifoName()));
    }

    [Behaviour]
    public static async Task Content_based_deduplication_can_be_switched_on(Trial trial)
    {
        var url = await trial.CreateFifoQueueAsync();

        (await trial.Raw.SetAttributesAsync(url, new { ContentBasedDeduplication = "true" })).ShouldBeTaken();
        await trial.Sqs.SendAllAsync(url, Entry("a1") with { DeduplicationId = null });

        Assert.Equal("a1", (await trial.Sqs.ReceiveOneAsync(url)).Text());
    }

    [Behaviour]
    public static async Task A_message_without_a_group_is_refused(Trial trial)
    {
        var url = await trial.CreateFifoQueueAsync();

        (await trial.Raw.CallAsync("SendMessage", new { QueueUrl = url, MessageBody = "a", MessageDeduplicationId = "1" }))
            .ShouldBeRefusedWith("MissingParameter");
        Assert.Empty(await trial.Sqs.PollAsync(url));
    }

    [Behaviour]
    public static async Task A_message_without_a_deduplication_id_is_refused_unless_it_comes_from_the_content(Trial trial)
    {
        var url = await trial.CreateFifoQueueAsync();

        (await trial.Raw.CallAsync("SendMessage", new { QueueUrl = url, MessageBody = "a", MessageGroupId = "g" }))
            .ShouldBeRefusedWith(SqsErrorCode.InvalidParameterValue);
        Assert.Empty(await trial.Sqs.PollAsync(url));
    }

    [Behaviour]
    public static async Task A_message_cannot_have_a_delay_of_its_own(Trial trial)
    {
        var url = await trial.CreateFifoQueueAsync();

        (await trial.Raw.CallAsync(
            "SendMessage", new { QueueUrl = url, MessageBody = "a", MessageGroupId = "g", MessageDeduplicationId = "1", DelaySeconds = 1 }))
            .ShouldBeRefusedWith(SqsErrorCode.InvalidParameterValue);
        Assert.Empty(await trial.Sqs.PollAsync(url));
    }

    [Behaviour]
    public static async Task Group_and_deduplication_id_come_with_the_message(Trial trial)
    {
        var url = await trial.CreateFifoQueueAsync();
        await trial.Sqs.SendAllAsync(url, Entry("a1") with { GroupId = "the-group", DeduplicationId = "the-id" });

        var attributes = (await trial.Raw.ReceiveOneAsync(url, "All")).GetProperty("Attributes");

        Assert.Equal("the-group", attributes.GetProperty("MessageGroupId").GetString());
        Assert.Equal("the-id", attributes.GetProperty("MessageDeduplicationId").GetString());
    }

    [Behaviour]
    public static async Task Sequence_numbers_grow_and_come_with_send_and_receive(Trial trial)
    {
        var url = await trial.CreateFifoQueueAsync();
        var sent = new List<UInt128>();
        foreach (var body in new[] { "a1", "b1", "a2" })
        {
            var answer = await trial.Raw.CallAsync(
                "SendMessage", new { QueueUrl = url, MessageBody = body, MessageGroupId = body[..1], MessageDeduplicationId = body });
            sent.Add(Number(answer.Json));
        }

        var received = await trial.Raw.ReceiveOneAsync(url, "SequenceNumber");

        Assert.Equal(sent.Distinct().Order(), sent);
        Assert.Equal(sent[0], Number(received.GetProperty("Attributes")));

        static UInt128 Number(System.Text.Json.JsonElement holder) =>
            UInt128.Parse(holder.GetProperty("SequenceNumber").GetString()!, System.Globalization.CultureInfo.InvariantCulture);
    }

    /// <summary>Its group is its first letter, its deduplication id all of it.</summary>
    public static SendEntry Entry(string body) => Steps.Entry(body) with { GroupId = body[..1], DeduplicationId = body };

    public static Task SendFifoAsync(this ISqs sqs, string url, params string[] bodies) => sqs.SendAllAsync(url, [.. bodies.Select(Entry)]);
}
