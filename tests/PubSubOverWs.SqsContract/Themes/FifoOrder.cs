using PubSubOverWs.Sqs;

namespace PubSubOverWs.SqsContract;

/// <summary>Messages of a group come one after the other, in the order in which they were sent.</summary>
internal static class FifoOrder
{
    private static readonly TimeSpan OneSecond = TimeSpan.FromSeconds(1);

    [Behaviour]
    public static async Task Messages_of_a_group_come_in_the_order_they_were_sent(Trial trial)
    {
        string[] bodies = [.. Enumerable.Range(10, 30).Select(i => $"a{i}")];
        var url = await trial.CreateFifoQueueAsync();
        foreach (var batch in bodies.Chunk(SqsLimits.MaxBatchEntries))
            await trial.Sqs.SendFifoAsync(url, batch);

        var received = new List<string>();
        while (received.Count < bodies.Length)
        {
            var messages = await trial.Sqs.PollAsync(url, Steps.Patience);
            Assert.NotEmpty(messages);
            received.AddRange(messages.Select(message => message.Text()));
            await trial.Sqs.DeleteAsync(url, [.. messages]);
        }

        Assert.Equal(bodies, received);
    }

    [Behaviour]
    public static async Task A_receive_may_bring_several_messages_of_a_group(Trial trial)
    {
        var url = await trial.CreateFifoQueueAsync();
        await trial.Sqs.SendFifoAsync(url, "a1", "a2", "a3");

        Assert.Equal(["a1", "a2", "a3"], (await trial.Sqs.PollAsync(url, Steps.Patience)).Select(message => message.Text()));
    }

    [Behaviour]
    public static async Task A_group_with_a_message_in_flight_waits_until_it_is_deleted(Trial trial)
    {
        var url = await trial.CreateFifoQueueAsync();
        await trial.Sqs.SendFifoAsync(url, "a1", "a2");
        var first = await trial.Sqs.ReceiveOneAsync(url);

        Assert.Empty(await trial.Sqs.PollAsync(url, OneSecond));
        var poll = trial.Sqs.PollAsync(url, Steps.Patience);
        await trial.Sqs.DeleteAsync(url, first);

        Assert.Equal("a2", Assert.Single(await poll).Text());
    }

    [Behaviour]
    public static async Task Other_groups_do_not_wait_for_a_group_with_a_message_in_flight(Trial trial)
    {
        var url = await trial.CreateFifoQueueAsync();
        await trial.Sqs.SendFifoAsync(url, "a1", "a2", "b1", "b2");

        Assert.Equal("a1", (await trial.Sqs.ReceiveOneAsync(url)).Text());
        Assert.Equal("b1", (await trial.Sqs.ReceiveOneAsync(url)).Text());
        Assert.Empty(await trial.Sqs.PollAsync(url));
    }

    [Behaviour]
    public static async Task A_released_message_comes_again_before_later_ones_of_its_group(Trial trial)
    {
        var url = await trial.CreateFifoQueueAsync();
        await trial.Sqs.SendFifoAsync(url, "a1", "a2");

        await trial.Sqs.ReleaseAsync(url, await trial.Sqs.ReceiveOneAsync(url));

        Assert.Equal("a1", (await trial.Sqs.ReceiveOneAsync(url)).Text());
    }

    [Behaviour]
    public static async Task A_message_that_is_visible_again_comes_before_later_ones_of_its_group_and_wakes_a_poll(Trial trial)
    {
        var url = await trial.CreateFifoQueueAsync();
        await trial.Sqs.SendFifoAsync(url, "a1", "a2");
        await trial.Sqs.ReceiveOneAsync(url, OneSecond);

        var again = await trial.Sqs.ReceiveOneAsync(url);

        Assert.Equal(("a1", 2), (again.Text(), again.ApproximateReceiveCount));
    }

    [Behaviour]
    public static async Task A_dead_letter_no_longer_holds_its_group(Trial trial)
    {
        var dead = await trial.CreateFifoQueueAsync();
        var arn = (await trial.Sqs.GetQueueAttributesAsync(dead, CancellationToken.None)).Arn;
        var url = await trial.CreateFifoQueueAsync(redrive: new RedrivePolicy(arn, 1));
        await trial.Sqs.SendFifoAsync(url, "a1", "a2");

        await trial.Sqs.ReleaseAsync(url, await trial.Sqs.ReceiveOneAsync(url));

        Assert.Equal("a2", (await trial.Sqs.ReceiveOneAsync(url)).Text());
        Assert.Equal("a1", (await trial.Sqs.ReceiveOneAsync(dead)).Text());
    }

    [Behaviour]
    public static async Task Consumers_at_the_same_time_keep_the_order_of_every_group(Trial trial)
    {
        var url = await trial.CreateFifoQueueAsync();
        string[] bodies = [.. Enumerable.Range(10, 20).SelectMany(i => "abcd".Select(group => $"{group}{i}"))];
        foreach (var batch in bodies.Chunk(SqsLimits.MaxBatchEntries))
            await trial.Sqs.SendFifoAsync(url, batch);
        var received = new List<string>();

        await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => ConsumeAsync()));

        Assert.Equal(bodies.Order(StringComparer.Ordinal), received.OrderBy(body => body[0]));

        async Task ConsumeAsync()
        {
            while (await trial.Sqs.PollAsync(url, OneSecond, max: 2) is { Count: > 0 } messages)
            {
                // No other consumer has a message of these groups until they are deleted.
                lock (received)
                    received.AddRange(messages.Select(message => message.Text()));
                await trial.Sqs.DeleteAsync(url, [.. messages]);
            }
        }
    }
}
