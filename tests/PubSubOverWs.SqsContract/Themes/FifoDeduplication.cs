using PubSubOverWs.Sqs;

namespace PubSubOverWs.SqsContract;

/// <summary>A message sent twice within five minutes is accepted twice, and delivered once.</summary>
internal static class FifoDeduplication
{
    [Behaviour]
    public static async Task A_message_sent_twice_with_one_id_comes_once(Trial trial)
    {
        var url = await trial.CreateFifoQueueAsync();

        var first = await trial.Sqs.SendAllAsync(url, Fifo.Entry("a1"));
        var second = await trial.Sqs.SendAllAsync(url, Fifo.Entry("a1") with { Body = "something else"u8.ToArray() });

        Assert.Equal(first, second);
        await OnlyComesAsync(trial, url, "a1");
    }

    [Behaviour]
    public static async Task A_message_sent_twice_in_one_batch_comes_once(Trial trial)
    {
        var url = await trial.CreateFifoQueueAsync();

        await trial.Sqs.SendFifoAsync(url, "a1", "a1", "a2");

        await OnlyComesAsync(trial, url, "a1", "a2");
    }

    [Behaviour]
    public static async Task A_deleted_message_that_is_sent_again_does_not_come_again(Trial trial)
    {
        var url = await trial.CreateFifoQueueAsync();
        await trial.Sqs.SendFifoAsync(url, "a1");
        await trial.Sqs.DeleteAsync(url, await trial.Sqs.ReceiveOneAsync(url));

        await trial.Sqs.SendFifoAsync(url, "a1");

        Assert.Empty(await trial.Sqs.PollAsync(url, TimeSpan.FromSeconds(1)));
    }

    [Behaviour]
    public static async Task An_id_counts_in_all_groups_of_a_queue_and_in_no_other_queue(Trial trial)
    {
        var url = await trial.CreateFifoQueueAsync();
        var other = await trial.CreateFifoQueueAsync();
        await trial.Sqs.SendFifoAsync(url, "a1");

        await trial.Sqs.SendAllAsync(url, Fifo.Entry("b1") with { DeduplicationId = "a1" });
        await trial.Sqs.SendFifoAsync(other, "a1");

        await OnlyComesAsync(trial, url, "a1");
        await OnlyComesAsync(trial, other, "a1");
    }

    [Behaviour]
    public static async Task Equal_bodies_come_once_where_the_content_decides(Trial trial)
    {
        var url = await trial.CreateFifoQueueAsync(contentBased: true);

        await trial.Sqs.SendAllAsync(url, ByContent("a1"));
        await trial.Sqs.SendAllAsync(url, ByContent("a1"), ByContent("a2"));

        await OnlyComesAsync(trial, url, "a1", "a2");
    }

    [Behaviour]
    public static async Task An_id_goes_before_the_content(Trial trial)
    {
        var url = await trial.CreateFifoQueueAsync(contentBased: true);

        await trial.Sqs.SendAllAsync(
            url, ByContent("a1"), ByContent("a1") with { DeduplicationId = "1" }, ByContent("a2") with { DeduplicationId = "1" });

        await OnlyComesAsync(trial, url, "a1", "a1");
    }

    private static SendEntry ByContent(string body) => Fifo.Entry(body) with { DeduplicationId = null };

    private static async Task OnlyComesAsync(Trial trial, string url, params string[] bodies)
    {
        foreach (var body in bodies)
        {
            var message = await trial.Sqs.ReceiveOneAsync(url);
            Assert.Equal(body, message.Text());
            await trial.Sqs.DeleteAsync(url, message);
        }
        Assert.Empty(await trial.Sqs.PollAsync(url, TimeSpan.FromSeconds(1)));
    }
}
