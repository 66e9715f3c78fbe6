using System.Text;
using PubSubOverWs.Queues;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.SqsContract;

/// <summary>A message, and a batch, may have 1 MiB of UTF-8.</summary>
internal static class Limits
{
    private static readonly QueueSettings Large = new() { MaximumMessageSize = QueueLimits.MaxMessageBytes };

    [Behaviour]
    public static async Task A_body_of_1_MiB_comes_back(Trial trial)
    {
        var body = new string('x', QueueLimits.MaxMessageBytes);
        var url = await trial.CreateQueueAsync(Large);

        await trial.Sqs.SendTextsAsync(url, body);

        Assert.Equal(body, (await trial.Sqs.ReceiveOneAsync(url)).Text());
    }

    [Behaviour]
    public static async Task A_body_of_1_MiB_and_a_byte_is_refused(Trial trial)
    {
        var url = await trial.CreateQueueAsync(Large);

        var answer = await trial.Raw.CallAsync(
            "SendMessage", new { QueueUrl = url, MessageBody = new string('x', QueueLimits.MaxMessageBytes + 1) });

        answer.ShouldBeRefusedWith(SqsErrorCode.InvalidParameterValue);
        Assert.Empty(await trial.Sqs.PollAsync(url));
    }

    [Behaviour]
    public static async Task Bytes_of_UTF_8_are_counted_and_not_characters(Trial trial)
    {
        var body = new string('漢', QueueLimits.MaxMessageBytes / 3) + 'x';
        var url = await trial.CreateQueueAsync(Large);

        Assert.Equal(QueueLimits.MaxMessageBytes, Encoding.UTF8.GetByteCount(body));
        await trial.Sqs.SendTextsAsync(url, body);
        await Steps.RefusedAsync(
            SqsErrorCode.BatchRequestTooLong, trial.Sqs.SendAsync(url, [Steps.Entry(body + 'x')], CancellationToken.None));

        Assert.Equal(body, (await trial.Sqs.ReceiveOneAsync(url)).Text());
    }

    [Behaviour]
    public static async Task A_batch_of_1_MiB_in_all_is_taken(Trial trial)
    {
        var url = await trial.CreateQueueAsync(Large);

        await trial.Sqs.SendTextsAsync(url, [.. Sizes(QueueLimits.MaxBatchBytes).Select(size => new string('x', size))]);

        var received = await trial.Sqs.ReceiveAllAsync(url, 10);
        Assert.Equal(QueueLimits.MaxBatchBytes, received.Sum(message => message.Body.Length));
    }

    [Behaviour]
    public static async Task A_batch_of_1_MiB_and_a_byte_is_refused_as_a_whole(Trial trial)
    {
        var url = await trial.CreateQueueAsync(Large);
        SendEntry[] entries = [.. Sizes(QueueLimits.MaxBatchBytes + 1).Select(size => Steps.Entry(new string('x', size)))];

        await Steps.RefusedAsync(SqsErrorCode.BatchRequestTooLong, trial.Sqs.SendAsync(url, entries, CancellationToken.None));

        Assert.Empty(await trial.Sqs.PollAsync(url));
    }

    [Behaviour]
    public static async Task A_queue_may_take_less_and_a_larger_body_fails_alone(Trial trial)
    {
        var url = await trial.CreateQueueAsync(new QueueSettings { MaximumMessageSize = 1024 });

        var results = await trial.Sqs.SendAsync(
            url, [Steps.Entry(new string('x', 1025)), Steps.Entry(new string('y', 1024))], CancellationToken.None);

        Assert.Equal([SqsErrorCode.InvalidParameterValue, null], results.Select(result => result.Failure?.Code));
        Assert.StartsWith("y", (await trial.Sqs.ReceiveOneAsync(url)).Text(), StringComparison.Ordinal);
    }

    /// <summary>Ten bodies that have this many bytes together.</summary>
    private static IEnumerable<int> Sizes(int bytes) => Enumerable.Repeat(bytes / 10, 9).Append(bytes - (bytes / 10 * 9));
}
