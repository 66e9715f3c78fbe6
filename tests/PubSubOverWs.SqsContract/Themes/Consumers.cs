using System.Collections.Concurrent;
using PubSubOverWs.Queues;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.SqsContract;

/// <summary>Many consumers receive from one queue at once.</summary>
internal static class Consumers
{
    private const int Count = 8;
    private const int Messages = 400;

    private static readonly TimeSpan OneSecond = TimeSpan.FromSeconds(1);

    [Behaviour]
    public static async Task Consumers_never_share_a_message_while_it_is_in_flight(Trial trial)
    {
        var url = await trial.CreateQueueAsync();
        var sent = await SendAsync(trial.Sqs, url);
        var received = new ConcurrentBag<string>();

        await Task.WhenAll(Enumerable.Range(0, Count).Select(_ => ConsumeAsync()));

        Assert.Equal(sent.Order(), received.Order());

        async Task ConsumeAsync()
        {
            while (await trial.Sqs.PollAsync(url, OneSecond, TimeSpan.FromHours(1)) is { Count: > 0 } messages)
            {
                foreach (var message in messages)
                    received.Add(message.MessageId);
            }
        }
    }

    [Behaviour]
    public static async Task Consumers_that_delete_their_messages_get_every_message_once(Trial trial)
    {
        var url = await trial.CreateQueueAsync();
        var received = new ConcurrentBag<string>();
        var sending = SendAsync(trial.Sqs, url);

        await Task.WhenAll(Enumerable.Range(0, Count).Select(_ => ConsumeAsync()));

        Assert.Equal((await sending).Order(), received.Order());
        Assert.True((await trial.Sqs.GetQueueAttributesAsync(url, CancellationToken.None)).IsEmpty);

        async Task ConsumeAsync()
        {
            bool isLast;
            do
            {
                // A poll that begins after the last send and brings nothing is the last one.
                isLast = sending.IsCompleted;
                var messages = await trial.Sqs.PollAsync(url, OneSecond);
                foreach (var message in messages)
                    received.Add(message.MessageId);
                if (messages.Count > 0)
                    await trial.Sqs.DeleteAsync(url, [.. messages]);
                isLast &= messages.Count == 0;
            }
            while (!isLast);
        }
    }

    /// <summary>The ids of all messages, sent by several senders at once.</summary>
    private static async Task<string[]> SendAsync(ISqs sqs, string url)
    {
        var batches = Enumerable.Range(0, Messages).Select(i => $"message {i}").Chunk(QueueLimits.MaxBatchEntries);
        return [.. (await Task.WhenAll(batches.Select(batch => sqs.SendTextsAsync(url, batch)))).SelectMany(ids => ids)];
    }
}
