using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.LoadTest.Harness.Targets;

/// <summary>Queues that can only be asked for their counts: the answers of each are a script, of which the last one stays.</summary>
internal sealed class CountedQueues : ISqs
{
    private readonly Dictionary<string, Queue<QueueAttributes>> _answers = [];

    public SqsTraffic Traffic => throw new NotSupportedException();

    public SqsException? Failure { get; set; }

    public int Looks { get; private set; }

    public void Script(string url, params (long Visible, long InFlight, long Delayed)[] counts) =>
        _answers[url] = new(counts.Select(one => new QueueAttributes("arn", one.Visible, one.InFlight, one.Delayed, new QueueSettings())));

    public ValueTask<QueueAttributes> GetQueueAttributesAsync(string queueUrl, CancellationToken cancellationToken)
    {
        Looks++;
        var answers = _answers[queueUrl];
        return Failure is not null ? throw Failure : ValueTask.FromResult(answers.Count > 1 ? answers.Dequeue() : answers.Peek());
    }

    public ValueTask<string> CreateQueueAsync(string name, QueueSettings settings, CancellationToken cancellationToken) =>
        throw new NotSupportedException();

    public ValueTask<string> GetQueueUrlAsync(string name, CancellationToken cancellationToken) => throw new NotSupportedException();

    public ValueTask DeleteQueueAsync(string queueUrl, CancellationToken cancellationToken) => throw new NotSupportedException();

    public ValueTask<IReadOnlyList<string>> ListQueuesAsync(string prefix, CancellationToken cancellationToken) =>
        throw new NotSupportedException();

    public ValueTask<IReadOnlyList<EntryResult>> SendMessageBatchAsync(
        string queueUrl, IReadOnlyList<SendEntry> entries, CancellationToken cancellationToken) => throw new NotSupportedException();

    public ValueTask<IReadOnlyList<ReceivedMessage>> ReceiveMessagesAsync(
        string queueUrl, ReceiveRequest request, CancellationToken stopping) =>
        throw new NotSupportedException();

    public ValueTask<IReadOnlyList<EntryResult>> DeleteMessageBatchAsync(
        string queueUrl, IReadOnlyList<string> receiptHandles, CancellationToken cancellationToken) => throw new NotSupportedException();

    public ValueTask<IReadOnlyList<EntryResult>> ChangeMessageVisibilityBatchAsync(
        string queueUrl, IReadOnlyList<VisibilityEntry> entries, CancellationToken cancellationToken) => throw new NotSupportedException();
}
