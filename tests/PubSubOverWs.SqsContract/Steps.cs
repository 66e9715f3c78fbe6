using System.Text;
using System.Text.Json;
using PubSubOverWs.Queues;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.SqsContract;

/// <summary>
/// The steps of behaviours. Only long polls wait here: one that must bring a message may take <see cref="Patience"/>, and ends as soon as
/// it does.
/// </summary>
internal static class Steps
{
    /// <summary>The longest long poll.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);

    /// <summary>The longest visibility time-out, counted from the receive.</summary>
    public static readonly TimeSpan LongestVisibility = TimeSpan.FromHours(12);

    public static SendEntry Entry(string body) => new(Encoding.UTF8.GetBytes(body));

    public static string Text(this ReceivedMessage message) => Encoding.UTF8.GetString(message.Body.Span);

    /// <summary>Sends a batch, all of which must be taken; returns the ids.</summary>
    public static Task<string[]> SendTextsAsync(this ISqs sqs, string url, params string[] bodies) =>
        sqs.SendAllAsync(url, [.. bodies.Select(Entry)]);

    /// <summary>As above.</summary>
    public static async Task<string[]> SendAllAsync(this ISqs sqs, string url, params SendEntry[] entries)
    {
        var results = await sqs.SendAsync(url, entries, CancellationToken.None);
        Assert.All(results, result => Assert.Null(result.Failure));
        return [.. results.Select(result => result.MessageId!)];
    }

    /// <summary>The messages of one receive, which may be none.</summary>
    public static async Task<IReadOnlyList<ReceivedMessage>> PollAsync(
        this ISqs sqs, string url, TimeSpan wait, TimeSpan? visibility = null, int max = QueueLimits.MaxBatchEntries) =>
        await sqs.ReceiveAsync(
            url, new ReceiveRequest { MaxMessages = max, WaitTime = wait, Visibility = visibility }, CancellationToken.None);

    /// <summary>The messages of a receive that does not wait.</summary>
    public static Task<IReadOnlyList<ReceivedMessage>> PollAsync(this ISqs sqs, string url) => sqs.PollAsync(url, TimeSpan.Zero);

    /// <summary>The next message, by itself.</summary>
    public static async Task<ReceivedMessage> ReceiveOneAsync(this ISqs sqs, string url, TimeSpan? visibility = null) =>
        Assert.Single(await sqs.PollAsync(url, Patience, visibility, max: 1));

    /// <summary>The next message as it is in the answer, with these system attributes.</summary>
    public static async Task<JsonElement> ReceiveOneAsync(this RawSqs raw, string url, params string[] attributes)
    {
        var answer = await raw.CallAsync(
            "ReceiveMessage", new { QueueUrl = url, WaitTimeSeconds = 20, MessageSystemAttributeNames = attributes });
        return answer.Json.GetProperty("Messages")[0];
    }

    /// <summary>The next <paramref name="count"/> messages, in as many receives as it takes.</summary>
    public static async Task<List<ReceivedMessage>> ReceiveAllAsync(this ISqs sqs, string url, int count)
    {
        var messages = new List<ReceivedMessage>(count);
        while (messages.Count < count)
        {
            var received = await sqs.PollAsync(url, Patience, max: Math.Min(count - messages.Count, QueueLimits.MaxBatchEntries));
            Assert.NotEmpty(received);
            messages.AddRange(received);
        }
        return messages;
    }

    public static async Task DeleteAsync(this ISqs sqs, string url, params ReceivedMessage[] messages)
    {
        var results = await sqs.SettleAsync(
            url, [.. messages.Select(message => message.ReceiptHandle)], CancellationToken.None);
        Assert.All(results, result => Assert.Null(result.Failure));
    }

    /// <summary>Hides it for this time from now.</summary>
    public static async Task HideAsync(this ISqs sqs, string url, ReceivedMessage message, TimeSpan visibility) =>
        Assert.Null(await sqs.TryHideAsync(url, message, visibility));

    /// <summary>The code of the refusal; null: done.</summary>
    public static async Task<string?> TryHideAsync(this ISqs sqs, string url, ReceivedMessage message, TimeSpan visibility) =>
        Assert.Single(await sqs.HoldAsync(url, [new(message.ReceiptHandle, visibility)], CancellationToken.None))
            .Failure?.Code;

    /// <summary>Makes it visible again at once.</summary>
    public static Task ReleaseAsync(this ISqs sqs, string url, ReceivedMessage message) => sqs.HideAsync(url, message, TimeSpan.Zero);

    /// <summary>The call must be refused as a whole, with this code.</summary>
    public static Task RefusedAsync<T>(string code, ValueTask<T> call) => RefusedAsync(code, call.AsTask());

    /// <summary>As above.</summary>
    public static Task RefusedAsync(string code, ValueTask call) => RefusedAsync(code, call.AsTask());

    /// <summary>As above.</summary>
    public static async Task RefusedAsync(string code, Task call)
    {
        var refused = await Assert.ThrowsAsync<QueueException>(() => call);
        Assert.True(ErrorCode.Is(code, refused.Code), $"Expected {code}, but the call was refused with {refused.Code}.");
    }
}
