using System.Diagnostics;
using System.Diagnostics.Metrics;
using PubSubOverWs.Queues;
using PubSubOverWs.Relay;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// Passes every call on to the queue, and tells OpenTelemetry how long it took, how many messages it carried, and of those whose trace is
/// recorded a span: in the trace of the first, with links to all.
/// </summary>
internal sealed class ObservedQueue : IQueue
{
    // Of received messages with a recorded trace, for the span of settling them: the oldest is forgotten.
    private const int RememberedHandles = 1_000;

    // Name and type of an operation are one word here.
    private const string Send = "send";
    private const string Receive = "receive";
    private const string Settle = "settle";

    private readonly IQueue _queue;
    private readonly TimeProvider _time;
    private readonly KeyValuePair<string, object?> _system;
    private readonly Histogram<double> _duration;
    private readonly Counter<long> _sent;
    private readonly Counter<long> _consumed;
    private readonly RecentValues<string, Links> _received = new(RememberedHandles);

    /// <param name="system">The queue, as the conventions name it.</param>
    public ObservedQueue(IQueue queue, string system, RelayTelemetry telemetry, TimeProvider time)
    {
        _queue = queue;
        _time = time;
        _system = new(Conventions.System, system);
        _duration = telemetry.Meter.CreateHistogram(
            Conventions.OperationDuration, Conventions.Seconds, "Of a call to the queue, its retries included.", tags: null,
            Conventions.Durations);
        _sent = telemetry.Meter.CreateCounter<long>(
            Conventions.SentMessages, Conventions.Message, "Messages that the queue was asked to take.");
        _consumed = telemetry.Meter.CreateCounter<long>(
            Conventions.ConsumedMessages, Conventions.Message, "Messages that the queue handed out.");
    }

    public QueueTraffic Traffic => _queue.Traffic;

    /// <summary>As the conventions name it; those that they do not have go by the name of the product.</summary>
    public static string SystemOf(QueueKind kind) => kind switch
    {
        QueueKind.Sqs => "aws.sqs",
        QueueKind.Redis => "redis",
        QueueKind.Nats => "nats",
        QueueKind.RabbitMq => "rabbitmq",
        _ => throw new ArgumentOutOfRangeException(nameof(kind), kind, null),
    };

    public ValueTask<QueueUrls> OpenAsync(string name, CancellationToken cancellationToken) => _queue.OpenAsync(name, cancellationToken);

    public ValueTask DeleteAsync(QueueUrls urls, CancellationToken cancellationToken) => _queue.DeleteAsync(urls, cancellationToken);

    public ValueTask<long> CountAsync(string queueUrl, CancellationToken cancellationToken) =>
        _queue.CountAsync(queueUrl, cancellationToken);

    public ValueTask<IReadOnlyList<EntryResult>> SendAsync(
        string queueUrl, IReadOnlyList<SendEntry> entries, CancellationToken cancellationToken)
    {
        if (!IsOn)
            return _queue.SendAsync(queueUrl, entries, cancellationToken);
        _sent.Add(entries.Count, new(Conventions.OperationName, Send), _system);
        return ObserveAsync(
            Send, queueUrl, () => _queue.SendAsync(queueUrl, entries, cancellationToken),
            _ => LinksOf(entries.Select(entry => entry.Body)), Refusal);
    }

    public ValueTask<IReadOnlyList<ReceivedMessage>> ReceiveAsync(string queueUrl, ReceiveRequest request, CancellationToken stopping)
    {
        return IsOn ? ObserveAsync(Receive, queueUrl, ReceiveAsync, Received, _ => null) : ReceiveAsync();

        ValueTask<IReadOnlyList<ReceivedMessage>> ReceiveAsync() => _queue.ReceiveAsync(queueUrl, request, stopping);
    }

    public ValueTask<IReadOnlyList<EntryResult>> SettleAsync(
        string queueUrl, IReadOnlyList<string> receiptHandles, CancellationToken cancellationToken)
    {
        return IsOn
            ? ObserveAsync(
                Settle, queueUrl, SettleAsync, _ => [.. receiptHandles.SelectMany(handle => _received.Recall(handle).Of ?? [])], Refusal)
            : SettleAsync();

        ValueTask<IReadOnlyList<EntryResult>> SettleAsync() => _queue.SettleAsync(queueUrl, receiptHandles, cancellationToken);
    }

    public ValueTask<IReadOnlyList<EntryResult>> HoldAsync(
        string queueUrl, IReadOnlyList<HoldEntry> entries, CancellationToken cancellationToken) =>
        _queue.HoldAsync(queueUrl, entries, cancellationToken);

    private bool IsOn => RelayTelemetry.IsTraced || _duration.Enabled || _sent.Enabled || _consumed.Enabled;

    private List<ActivityLink> Received(IReadOnlyList<ReceivedMessage> messages)
    {
        _consumed.Add(messages.Count, new(Conventions.OperationName, Receive), _system);
        var links = new List<ActivityLink>();
        if (!RelayTelemetry.IsTraced)
            return links;
        foreach (var message in messages)
        {
            var before = links.Count;
            TraceContext.AddRecorded(message.Body.Span, links);
            if (links.Count > before)
                _received.Remember(message.ReceiptHandle, new Links(links[before..]));
        }
        return links;
    }

    private static List<ActivityLink> LinksOf(IEnumerable<ReadOnlyMemory<byte>> envelopes)
    {
        var links = new List<ActivityLink>();
        if (RelayTelemetry.IsTraced)
        {
            foreach (var envelope in envelopes)
                TraceContext.AddRecorded(envelope.Span, links);
        }
        return links;
    }

    // Of the first entry that the queue did not take, or not settle.
    private static (string Word, string Sentence)? Refusal(IReadOnlyList<EntryResult> results)
    {
        for (var i = 0; i < results.Count; i++)
        {
            if (results[i].Failure is { } failure)
                return (failure.SenderFault ? "refused" : "unanswered", $"{failure.Code}: {failure.Message}");
        }
        return null;
    }

    /// <param name="linksOf">Which recorded messages it carried: known of a receive only by what it brought.</param>
    /// <param name="refusalOf">What went wrong with a single entry; null: nothing.</param>
    private async ValueTask<IReadOnlyList<T>> ObserveAsync<T>(
        string operation, string queueUrl, Func<ValueTask<IReadOnlyList<T>>> call, Func<IReadOnlyList<T>, List<ActivityLink>> linksOf,
        Func<IReadOnlyList<T>, (string Word, string Sentence)?> refusalOf)
    {
        var startedAt = _time.GetUtcNow();
        var began = _time.GetTimestamp();
        IReadOnlyList<T> result = [];
        (string Word, string Sentence)? error = null;
        try
        {
            result = await call();
            error = refusalOf(result);
        }
        catch (QueueException failure)
        {
            error = (failure.IsRetryable ? "unanswered" : "refused", failure.Message);
            throw;
        }
        finally
        {
            Record(operation, began, error?.Word);
            if (linksOf(result) is { Count: > 0 } links)
                Trace(operation, queueUrl, startedAt, links, error);
        }
        return result;
    }

    private void Record(string operation, long began, string? error)
    {
        var tags = new TagList { { Conventions.OperationName, operation }, { Conventions.OperationType, operation }, _system };
        if (error is not null)
            tags.Add(Conventions.ErrorType, error);
        _duration.Record(_time.GetElapsedTime(began).TotalSeconds, tags);
    }

    private void Trace(
        string operation, string queueUrl, DateTimeOffset startedAt, List<ActivityLink> links, (string Word, string Sentence)? error)
    {
        var name = queueUrl[(queueUrl.LastIndexOf('/') + 1)..];
        var span = RelayTelemetry.Start($"{operation} {name}", ActivityKind.Client, links[0].Context, links, startedAt);
        if (span is null)
            return;
        span.SetTag(Conventions.OperationName, operation)
            .SetTag(Conventions.OperationType, operation)
            .SetTag(_system.Key, _system.Value)
            .SetTag(Conventions.Destination, name)
            .SetTag(Conventions.BatchCount, links.Count);
        RelayTelemetry.Stop(span, error?.Word, error?.Sentence);
    }

    private readonly record struct Links(List<ActivityLink>? Of);
}
