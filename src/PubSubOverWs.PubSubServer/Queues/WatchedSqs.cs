using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>The queue, where every call that readiness depends on tells <see cref="QueueHealth"/> how it went. What it returns and throws is unchanged.</summary>
internal sealed class WatchedSqs(ISqs sqs, QueueHealth health) : ISqs
{
    public SqsTraffic Traffic => sqs.Traffic;

    public ValueTask<string> CreateQueueAsync(string name, QueueSettings settings, CancellationToken cancellationToken) =>
        sqs.CreateQueueAsync(name, settings, cancellationToken);

    public ValueTask<string> GetQueueUrlAsync(string name, CancellationToken cancellationToken) => sqs.GetQueueUrlAsync(name, cancellationToken);

    public ValueTask<QueueAttributes> GetQueueAttributesAsync(string queueUrl, CancellationToken cancellationToken) =>
        WatchAsync(queueUrl, SqsCall.Other, sqs.GetQueueAttributesAsync(queueUrl, cancellationToken));

    public ValueTask SetQueueAttributesAsync(string queueUrl, QueueSettings settings, CancellationToken cancellationToken) =>
        sqs.SetQueueAttributesAsync(queueUrl, settings, cancellationToken);

    public ValueTask DeleteQueueAsync(string queueUrl, CancellationToken cancellationToken) => sqs.DeleteQueueAsync(queueUrl, cancellationToken);

    public ValueTask PurgeQueueAsync(string queueUrl, CancellationToken cancellationToken) => sqs.PurgeQueueAsync(queueUrl, cancellationToken);

    public ValueTask<IReadOnlyList<string>> ListQueuesAsync(string prefix, CancellationToken cancellationToken) => sqs.ListQueuesAsync(prefix, cancellationToken);

    public ValueTask<IReadOnlyList<EntryResult>> SendMessageBatchAsync(
        string queueUrl, IReadOnlyList<SendEntry> entries, CancellationToken cancellationToken) =>
        WatchBatchAsync(queueUrl, SqsCall.Send, sqs.SendMessageBatchAsync(queueUrl, entries, cancellationToken));

    public ValueTask<IReadOnlyList<ReceivedMessage>> ReceiveMessagesAsync(string queueUrl, ReceiveRequest request, CancellationToken stopping) =>
        WatchAsync(queueUrl, SqsCall.Receive, sqs.ReceiveMessagesAsync(queueUrl, request, stopping));

    public ValueTask<IReadOnlyList<EntryResult>> DeleteMessageBatchAsync(
        string queueUrl, IReadOnlyList<string> receiptHandles, CancellationToken cancellationToken) =>
        WatchBatchAsync(queueUrl, SqsCall.Delete, sqs.DeleteMessageBatchAsync(queueUrl, receiptHandles, cancellationToken));

    public ValueTask<IReadOnlyList<EntryResult>> ChangeMessageVisibilityBatchAsync(
        string queueUrl, IReadOnlyList<VisibilityEntry> entries, CancellationToken cancellationToken) =>
        WatchBatchAsync(queueUrl, SqsCall.ChangeVisibility, sqs.ChangeMessageVisibilityBatchAsync(queueUrl, entries, cancellationToken));

    private async ValueTask<T> WatchAsync<T>(string queueUrl, SqsCall kind, ValueTask<T> call)
    {
        var result = await AwaitAsync(queueUrl, kind, call);
        health.Succeeded(queueUrl, kind);
        return result;
    }

    // An entry that is refused for its own sake says nothing of the queue.
    private async ValueTask<IReadOnlyList<EntryResult>> WatchBatchAsync(string queueUrl, SqsCall kind, ValueTask<IReadOnlyList<EntryResult>> call)
    {
        var results = await AwaitAsync(queueUrl, kind, call);
        var failed = 0;
        EntryFailure? last = null;
        for (var i = 0; i < results.Count; i++)
        {
            if (results[i].Failure is { SenderFault: false } failure)
                (failed, last) = (failed + 1, failure);
        }
        if (last is null)
            health.Succeeded(queueUrl, kind);
        else
            health.Failed(queueUrl, kind, last.Code, EntriesFailed($"The queue {queueUrl} failed {failed} of {results.Count} entries of a {kind} batch", last));
        return results;
    }

    private async ValueTask<T> AwaitAsync<T>(string queueUrl, SqsCall kind, ValueTask<T> call)
    {
        try
        {
            return await call;
        }
        catch (SqsException failure)
        {
            health.Failed(queueUrl, kind, failure.Code, failure.Message);
            throw;
        }
        catch (OperationCanceledException cancelled) when (cancelled.InnerException is SqsException failure)
        {
            // Its caller would not wait for the next attempt.
            health.Failed(queueUrl, kind, failure.Code, failure.Message);
            throw;
        }
    }

    private static string EntriesFailed(string what, EntryFailure failure) =>
        $"{what} with {failure.Code} ({failure.Message.Trim().TrimEnd('.')}) until the retries were used up: the fault is on its side, so see how it is, or wait.";
}
