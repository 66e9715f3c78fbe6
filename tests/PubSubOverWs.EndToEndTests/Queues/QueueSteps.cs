using System.Text;
using PubSubOverWs.Queues;

namespace PubSubOverWs.EndToEndTests.Queues;

/// <summary>The steps of behaviours. Only receives wait: one that must bring a message ends as soon as it does.</summary>
internal static class QueueSteps
{
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);

    public static string Text(this ReceivedMessage message) => Encoding.UTF8.GetString(message.Body.Span);

    public static Task<string[]> SendTextsAsync(this IQueue queue, string url, params string[] texts) =>
        queue.SendAllAsync(url, [.. texts.Select(text => new SendEntry(Encoding.UTF8.GetBytes(text)))]);

    public static async Task<string[]> SendAllAsync(this IQueue queue, string url, params SendEntry[] entries)
    {
        var results = await queue.SendAsync(url, entries, CancellationToken.None);
        Assert.All(results, result => Assert.Null(result.Failure));
        return [.. results.Select(result => result.MessageId!)];
    }

    public static async Task<IReadOnlyList<ReceivedMessage>> PollAsync(
        this IQueue queue, string url, TimeSpan wait, TimeSpan? visibility = null, int most = QueueLimits.MaxBatchEntries) =>
        await queue.ReceiveAsync(
            url, new ReceiveRequest { MaxMessages = most, WaitTime = wait, Visibility = visibility }, CancellationToken.None);

    public static async Task<ReceivedMessage> ReceiveOneAsync(this IQueue queue, string url, TimeSpan? visibility = null) =>
        Assert.Single(await queue.PollAsync(url, Patience, visibility, most: 1));

    public static async Task<List<ReceivedMessage>> ReceiveAllAsync(
        this IQueue queue, string url, int count, TimeSpan? visibility = null)
    {
        var messages = new List<ReceivedMessage>(count);
        while (messages.Count < count)
        {
            var received = await queue.PollAsync(url, Patience, visibility, Math.Min(count - messages.Count, QueueLimits.MaxBatchEntries));
            Assert.NotEmpty(received);
            messages.AddRange(received);
        }
        return messages;
    }

    public static async Task SettleAsync(this IQueue queue, string url, params ReceivedMessage[] messages) => Assert.All(
        await queue.SettleAsync(url, [.. messages.Select(message => message.ReceiptHandle)], CancellationToken.None),
        result => Assert.Null(result.Failure));

    public static async Task HoldAsync(this IQueue queue, string url, ReceivedMessage message, TimeSpan visibility) => Assert.All(
        await queue.HoldAsync(url, [new HoldEntry(message.ReceiptHandle, visibility)], CancellationToken.None),
        result => Assert.Null(result.Failure));

    /// <summary>
    /// Sends tens of messages until a call fails as a whole: of those before some may be refused, for the same reason, which passes.
    /// </summary>
    /// <param name="bytes">Of a message.</param>
    /// <param name="code">The reason.</param>
    public static async Task<(int Taken, QueueException Full)> FillAsync(this IQueue queue, string url, int bytes, string code)
    {
        SendEntry[] ten = [.. Enumerable.Repeat(new SendEntry(new byte[bytes]), QueueLimits.MaxBatchEntries)];
        for (var taken = 0; ;)
        {
            try
            {
                var results = await queue.SendAsync(url, ten, CancellationToken.None);
                taken += results.Count(result => result.Succeeded);
                Assert.All(results.Select(result => result.Failure).OfType<EntryFailure>(), failure =>
                    Assert.Equal((code, false), (failure.Code, failure.SenderFault)));
            }
            catch (QueueException full)
            {
                Assert.Equal((code, true, false), (full.Code, full.IsRetryable, full.MayHaveArrived));
                return (taken, full);
            }
        }
    }

    /// <summary>Repeats a call until the queue can be reached again.</summary>
    public static Task EventuallyAsync(Func<Task> call) => Waiting.UntilAsync(async () =>
    {
        try
        {
            await call();
            return true;
        }
        catch (QueueException failure) when (failure.IsRetryable)
        {
            return false;
        }
    });
}
