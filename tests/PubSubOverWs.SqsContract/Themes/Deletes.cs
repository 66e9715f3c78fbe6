using PubSubOverWs.Sqs;

namespace PubSubOverWs.SqsContract;

/// <summary>Messages leave a queue one by one, or all at once.</summary>
internal static class Deletes
{
    [Behaviour]
    public static async Task A_deleted_message_does_not_come_again(Trial trial)
    {
        var url = await trial.CreateQueueAsync();
        await trial.Sqs.SendTextsAsync(url, "a");
        var message = await trial.Sqs.ReceiveOneAsync(url, TimeSpan.FromSeconds(1));

        await trial.Sqs.DeleteAsync(url, message);

        Assert.Empty(await trial.Sqs.PollAsync(url, TimeSpan.FromSeconds(2)));
    }

    [Behaviour]
    public static async Task Deleting_a_message_again_is_not_an_error(Trial trial)
    {
        var url = await trial.CreateQueueAsync();
        await trial.Sqs.SendTextsAsync(url, "a");
        var message = await trial.Sqs.ReceiveOneAsync(url);

        await trial.Sqs.DeleteAsync(url, message);
        await trial.Sqs.DeleteAsync(url, message);
        await trial.Sqs.DeleteAsync(url, message, message);
    }

    [Behaviour]
    public static async Task A_message_that_is_visible_again_can_be_deleted_by_its_last_receipt(Trial trial)
    {
        var url = await trial.CreateQueueAsync();
        await trial.Sqs.SendTextsAsync(url, "a");
        var message = await trial.Sqs.ReceiveOneAsync(url, TimeSpan.Zero);

        await trial.Sqs.DeleteAsync(url, message);

        Assert.Empty(await trial.Sqs.PollAsync(url, TimeSpan.FromSeconds(1)));
    }

    [Behaviour]
    public static async Task A_purge_deletes_visible_delayed_and_in_flight_messages(Trial trial)
    {
        var url = await trial.CreateQueueAsync(new QueueSettings { VisibilityTimeout = TimeSpan.FromSeconds(1) });
        await trial.Sqs.SendTextsAsync(url, "in flight");
        await trial.Sqs.ReceiveOneAsync(url);
        await trial.Sqs.SendAllAsync(url, Steps.Entry("visible"), Steps.Entry("delayed") with { Delay = TimeSpan.FromSeconds(1) });

        (await trial.Raw.PurgeAsync(url)).ShouldBeTaken();

        Assert.Empty(await trial.Sqs.PollAsync(url, TimeSpan.FromSeconds(2)));
        Assert.True((await trial.Sqs.GetQueueAttributesAsync(url, CancellationToken.None)).IsEmpty);
    }

    [Behaviour]
    public static async Task A_queue_can_be_used_after_a_purge(Trial trial)
    {
        var url = await trial.CreateQueueAsync();
        (await trial.Raw.PurgeAsync(url)).ShouldBeTaken();

        await trial.Sqs.SendTextsAsync(url, "a");

        Assert.Equal("a", (await trial.Sqs.ReceiveOneAsync(url)).Text());
    }

    [Behaviour]
    public static async Task A_second_purge_within_a_minute_is_refused(Trial trial)
    {
        var url = await trial.CreateQueueAsync();
        (await trial.Raw.PurgeAsync(url)).ShouldBeTaken();

        (await trial.Raw.PurgeAsync(url)).ShouldBeRefusedWith("PurgeQueueInProgress");
    }
}
