using System.Text.Json;
using PubSubOverWs.Queues;

namespace PubSubOverWs.Sqs;

/// <summary>SQS over HTTP, in its protocol AWS JSON 1.0, against AWS itself or any server that speaks it.</summary>
public sealed class SqsOverHttp : ISqs, IDisposable
{
    // Around the body of a batch's entry: its id, the names, and escapes; the buffer grows when it is not enough.
    private const int EntryOverhead = 128;

    private readonly SqsTransport _transport;

    /// <param name="options">The endpoint, the credentials, how long to try.</param>
    /// <param name="time">For signatures, time-outs and the waits between retries.</param>
    /// <param name="handler">Null: connections of its own. Given: for tests; it is disposed with the client.</param>
    /// <exception cref="QueueException">No region can be found, the endpoint is not a URL, or only AWS's own settings name one.</exception>
    public SqsOverHttp(SqsOptions options, TimeProvider time, HttpMessageHandler? handler = null)
    {
        ArgumentNullException.ThrowIfNull(options);
        var address = SqsAddress.From(options, AwsService.Sqs);
        Endpoint = address.Endpoint;
        _transport = new SqsTransport(address, options, handler, time, Traffic);
    }

    /// <summary>The endpoint of the calls, whatever host the queue URLs name.</summary>
    public Uri Endpoint { get; }

    public QueueTraffic Traffic { get; } = new();

    public ValueTask<string> CreateQueueAsync(string name, QueueSettings settings, CancellationToken cancellationToken) => AskAsync(
        SqsOperation.CreateQueue,
        json =>
        {
            json.WriteString("QueueName"u8, name);
            json.WriteStartObject("Attributes"u8);
            foreach (var (attribute, value) in QueueSettingsWire.Write(settings))
                json.WriteString(attribute, value);
            json.WriteEndObject();
        },
        ReadQueueUrl, cancellationToken);

    public ValueTask<string> GetQueueUrlAsync(string name, CancellationToken cancellationToken) =>
        AskAsync(SqsOperation.GetQueueUrl, json => json.WriteString("QueueName"u8, name), ReadQueueUrl, cancellationToken);

    public ValueTask<QueueAttributes> GetQueueAttributesAsync(string queueUrl, CancellationToken cancellationToken) => AskAsync(
        SqsOperation.GetQueueAttributes,
        json =>
        {
            json.WriteString("QueueUrl"u8, queueUrl);
            json.WriteStartArray("AttributeNames"u8);
            json.WriteStringValue("All"u8);
            json.WriteEndArray();
        },
        answer =>
        {
            var attributes = answer.GetProperty("Attributes");
            // ToString: SQS sends numbers as strings; other servers may send them as numbers.
            return QueueSettingsWire.Read(name =>
                attributes.TryGetProperty(name, out var value) && value.ValueKind != JsonValueKind.Null ? value.ToString() : null);
        },
        cancellationToken);

    public async ValueTask DeleteQueueAsync(string queueUrl, CancellationToken cancellationToken) => await _transport.CallAsync(
        SqsOperation.DeleteQueue, RequestJson.Write(512, json => json.WriteString("QueueUrl"u8, queueUrl)), _ => true, cancellationToken);

    public async ValueTask<IReadOnlyList<string>> ListQueuesAsync(string prefix, CancellationToken cancellationToken) =>
        await _transport.Attempts.ReadPagesAsync(SqsOperation.ListQueues, next => AskAsync(
            SqsOperation.ListQueues,
            json =>
            {
                json.WriteString("QueueNamePrefix"u8, prefix);
                // Without it there are no pages, and results after the first 1,000 are cut off.
                json.WriteNumber("MaxResults"u8, 1000);
                if (next is not null)
                    json.WriteString("NextToken"u8, next);
            },
            ReadQueueUrls, cancellationToken));

    public ValueTask<IReadOnlyList<EntryResult>> SendAsync(
        string queueUrl, IReadOnlyList<SendEntry> entries, CancellationToken cancellationToken) =>
        CallBatchAsync(SqsOperation.SendMessageBatch, queueUrl, entries, RequestJson.WriteSend, cancellationToken);

    public async ValueTask<IReadOnlyList<ReceivedMessage>> ReceiveAsync(
        string queueUrl, ReceiveRequest request, CancellationToken stopping)
    {
        ArgumentNullException.ThrowIfNull(request);
        var body = RequestJson.Write(256, json => RequestJson.WriteReceive(json, queueUrl, request));
        // No token for a call under way: messages of a receive that is cut off would stay hidden.
        var (messages, corrupted) = await _transport.CallAsync(
            SqsOperation.ReceiveMessage, body, answer => AnswerJson.ReadReceive(answer.Span), request.WaitTime, stopping,
            CancellationToken.None);
        Traffic.CountReceive(messages.Count, corrupted);
        return messages;
    }

    public ValueTask<IReadOnlyList<EntryResult>> SettleAsync(
        string queueUrl, IReadOnlyList<string> receiptHandles, CancellationToken cancellationToken) =>
        CallBatchAsync(SqsOperation.DeleteMessageBatch, queueUrl, receiptHandles, RequestJson.WriteDelete, cancellationToken);

    public ValueTask<IReadOnlyList<EntryResult>> HoldAsync(
        string queueUrl, IReadOnlyList<HoldEntry> entries, CancellationToken cancellationToken) =>
        CallBatchAsync(SqsOperation.ChangeMessageVisibilityBatch, queueUrl, entries, RequestJson.WriteVisibility, cancellationToken);

    public void Dispose() => _transport.Dispose();

    // Writes the open entries, and reads the answer into their places.
    private ValueTask<IReadOnlyList<EntryResult>> CallBatchAsync<TEntry>(
        SqsOperation operation, string queueUrl, IReadOnlyList<TEntry> entries, Action<Utf8JsonWriter, TEntry> write,
        CancellationToken cancellationToken)
    {
        var sent = entries as IReadOnlyList<SendEntry>;
        var expected = EntryOverhead * (entries.Count + 1) + (sent?.Sum(entry => entry.Body.Length) ?? 0);
        return BatchCall.RunAsync(
            entries.Count,
            async results => await _transport.CallAsync(
                operation,
                RequestJson.Write(expected, json => RequestJson.WriteBatch(json, queueUrl, entries, results, write)),
                answer =>
                {
                    AnswerJson.ReadBatch(answer.Span, results, sent);
                    return true;
                },
                cancellationToken),
            _transport.Attempts.Retries, cancellationToken);
    }

    private ValueTask<T> AskAsync<T>(
        SqsOperation operation, Action<Utf8JsonWriter> write, Func<JsonElement, T> read, CancellationToken cancellationToken) =>
        _transport.CallAsync(
            operation,
            RequestJson.Write(512, write),
            answer =>
            {
                using var json = JsonDocument.Parse(answer);
                return read(json.RootElement);
            },
            cancellationToken);

    private static string ReadQueueUrl(JsonElement answer) =>
        answer.GetProperty("QueueUrl").GetString() ?? throw new JsonException("The queue URL is null.");

    private static (IEnumerable<string> Urls, string? Next) ReadQueueUrls(JsonElement page)
    {
        string[] urls = page.TryGetProperty("QueueUrls", out var found) && found.ValueKind == JsonValueKind.Array
            ? [.. found.EnumerateArray().Select(url => url.GetString() ?? throw new JsonException("A queue URL is null."))]
            : [];
        return (urls, page.TryGetProperty("NextToken", out var token) ? token.GetString() : null);
    }
}
