using PubSubOverWs.Sqs;

namespace PubSubOverWs.SqsContract;

/// <summary>A message published on a topic reaches every subscribed queue unchanged.</summary>
internal static class Publishes
{
    [Behaviour]
    public static async Task A_message_comes_to_each_of_three_queues_as_it_was(Trial trial)
    {
        // A form, XML or JSON could each change something here.
        await FanOutAsync(trial, " \t a\r\nb\rc\n {\"a\":\"\\\\\"} <g h='i'>&amp;</g> a=b&c=d %20 + ~ ");
    }

    [Behaviour]
    public static Task Every_character_from_U_0020_to_U_D7FF_comes_as_it_was(Trial trial) =>
        FanOutAsync(trial, Bodies.Characters(0x20, 0xD7FF));

    [Behaviour]
    public static Task Every_character_from_U_E000_to_U_FFFD_comes_as_it_was(Trial trial) =>
        FanOutAsync(trial, Bodies.Characters(0xE000, 0xFFFD));

    [Behaviour]
    public static Task Characters_of_the_planes_above_come_as_they_were(Trial trial) =>
        FanOutAsync(trial, "😀" + Bodies.Characters(0x10000, 0x100FF) + Bodies.Characters(0x10FF00, 0x10FFFF));

    [Behaviour]
    public static async Task A_batch_of_ten_comes_whole(Trial trial)
    {
        var topic = await trial.CreateTopicAsync();
        var queue = await trial.SubscribeQueueAsync(topic);
        var texts = Enumerable.Range(0, SnsLimits.MaxBatchEntries).Select(index => $"message {index}").ToArray();

        var results = await trial.Topics.TryPublishAsync(topic, texts);

        Assert.All(results, result => Assert.Null(result.Failure));
        Assert.Equal(texts.Length, results.Select(result => result.MessageId).Distinct().Count());
        var received = await trial.Sqs.ReceiveAllAsync(queue.Url, texts.Length);
        Assert.Equal(texts, received.Select(message => message.Text()).Order(StringComparer.Ordinal));
    }

    [Behaviour]
    public static async Task One_message_alone_comes_too(Trial trial)
    {
        var topic = await trial.CreateTopicAsync();
        var queue = await trial.SubscribeQueueAsync(topic);

        (await trial.Topics.Raw.CallAsync("Publish", ("TopicArn", topic), ("Message", "alone"))).ShouldBeTaken();

        Assert.Equal("alone", (await trial.Sqs.ReceiveOneAsync(queue.Url)).Text());
    }

    [Behaviour]
    public static async Task A_queue_that_was_deleted_does_not_fail_a_publish(Trial trial)
    {
        var topic = await trial.CreateTopicAsync();
        var deleted = await trial.SubscribeQueueAsync(topic);
        var queue = await trial.SubscribeQueueAsync(topic);
        await trial.Sqs.DeleteQueueAsync(deleted.Url, CancellationToken.None);

        await trial.Topics.PublishAsync(topic, "for the living");

        Assert.Equal("for the living", (await trial.Sqs.ReceiveOneAsync(queue.Url)).Text());
    }

    [Behaviour]
    public static async Task A_topic_that_does_not_exist_takes_nothing(Trial trial)
    {
        var topic = await trial.CreateTopicAsync();

        await Steps.RefusedAsync(SnsErrorCode.NotFound, trial.Topics.PublishAsync($"{topic}-not", "lost"));
    }

    [Behaviour]
    public static async Task An_empty_message_fails_alone(Trial trial)
    {
        var topic = await trial.CreateTopicAsync();
        var queue = await trial.SubscribeQueueAsync(topic);

        var results = await trial.Topics.TryPublishAsync(topic, "first", "", "third");

        Assert.Equal([null, SnsErrorCode.InvalidParameter, null], results.Select(result => result.Failure?.Code));
        Assert.True(results[1].Failure!.SenderFault);
        Assert.Equal(
            ["first", "third"],
            (await trial.Sqs.ReceiveAllAsync(queue.Url, 2)).Select(message => message.Text()).Order(StringComparer.Ordinal));
    }

    [Behaviour]
    public static async Task A_message_of_256_KiB_passes_and_a_longer_batch_does_not(Trial trial)
    {
        var topic = await trial.CreateTopicAsync();
        var queue = await trial.SubscribeQueueAsync(topic);

        await trial.Topics.PublishAsync(topic, new string('x', SnsLimits.MaxMessageBytes));
        await Steps.RefusedAsync(
            SnsErrorCode.BatchRequestTooLong,
            trial.Topics.TryPublishAsync(
                topic, new string('x', SnsLimits.MaxBatchBytes / 2), new string('x', SnsLimits.MaxBatchBytes / 2), "x"));

        Assert.Equal(SnsLimits.MaxMessageBytes, (await trial.Sqs.ReceiveOneAsync(queue.Url)).Body.Length);
        Assert.Empty(await trial.Sqs.PollAsync(queue.Url));
    }

    [Behaviour]
    public static async Task A_batch_has_one_to_ten_entries(Trial trial)
    {
        var topic = await trial.CreateTopicAsync();

        await Steps.RefusedAsync(SnsErrorCode.EmptyBatchRequest, trial.Topics.TryPublishAsync(topic));
        await Steps.RefusedAsync(
            SnsErrorCode.TooManyEntriesInBatchRequest,
            trial.Topics.TryPublishAsync(topic, [.. Enumerable.Repeat("x", SnsLimits.MaxBatchEntries + 1)]));
    }

    [Behaviour]
    public static async Task Ids_of_a_batch_are_distinct(Trial trial) =>
        (await PublishAsync(trial, "same", "same")).ShouldBeRefusedWith("BatchEntryIdsNotDistinct");

    [Behaviour]
    public static async Task An_id_that_SNS_does_not_allow_is_refused(Trial trial) =>
        (await PublishAsync(trial, "good", "not so good")).ShouldBeRefusedWith("InvalidBatchEntryId");

    private static async Task<RawAnswer> PublishAsync(Trial trial, string firstId, string secondId) => await trial.Topics.Raw.CallAsync(
        "PublishBatch",
        ("TopicArn", await trial.CreateTopicAsync()),
        ("PublishBatchRequestEntries.member.1.Id", firstId), ("PublishBatchRequestEntries.member.1.Message", "x"),
        ("PublishBatchRequestEntries.member.2.Id", secondId), ("PublishBatchRequestEntries.member.2.Message", "y"));

    private static async Task FanOutAsync(Trial trial, string text)
    {
        var topic = await trial.CreateTopicAsync();
        var queues = new[] { await trial.SubscribeQueueAsync(topic), await trial.SubscribeQueueAsync(topic),
            await trial.SubscribeQueueAsync(topic) };

        await trial.Topics.PublishAsync(topic, text);

        foreach (var queue in queues)
            Assert.Equal(text, (await trial.Sqs.ReceiveOneAsync(queue.Url)).Text());
    }
}
