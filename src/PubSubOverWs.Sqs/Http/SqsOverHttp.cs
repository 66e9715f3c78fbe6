using System.Text.Json;

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
    /// <exception cref="SqsException">No region can be found, the endpoint is not a URL, or only AWS's own settings name one.</exception>
    public SqsOverHttp(SqsOptions options, TimeProvider time, HttpMessageHandler? handler = null)
    {
        ArgumentNullException.ThrowIfNull(options);
        var address = SqsAddress.Of(options, AwsService.Sqs);
        Endpoint = address.Endpoint;
        _transport = new SqsTransport(address, options, handler ?? SqsHandler.Create(address.Endpoint), time, Traffic);
    }

    /// <summary>The endpoint of the calls, whatever host the queue URLs name.</summary>
    public Uri Endpoint { get; }

    public SqsTraffic Traffic { get; } = new();

    public async ValueTask<string> CreateQueueAsync(string name, QueueSettings settings, CancellationToken cancellationToken)
    {
        using var answer = await AskAsync(SqsOperation.CreateQueue, (name, settings), static (json, call) =>
        {
            json.WriteString("QueueName"u8, call.name);
            json.WriteStartObject("Attributes"u8);
            foreach (var (name, value) in QueueSettingsWire.Write(call.settings))
                json.WriteString(name, value);
            json.WriteEndObject();
        }, cancellationToken);
        return Read(SqsOperation.CreateQueue, answer, QueueUrl);
    }

    public async ValueTask<string> GetQueueUrlAsync(string name, CancellationToken cancellationToken)
    {
        using var answer = await AskAsync(
            SqsOperation.GetQueueUrl, name, static (json, name) => json.WriteString("QueueName"u8, name), cancellationToken);
        return Read(SqsOperation.GetQueueUrl, answer, QueueUrl);
    }

    public async ValueTask<QueueAttributes> GetQueueAttributesAsync(string queueUrl, CancellationToken cancellationToken)
    {
        using var answer = await AskAsync(SqsOperation.GetQueueAttributes, queueUrl, static (json, url) =>
        {
            json.WriteString("QueueUrl"u8, url);
            json.WriteStartArray("AttributeNames"u8);
            json.WriteStringValue("All"u8);
            json.WriteEndArray();
        }, cancellationToken);
        return Read(SqsOperation.GetQueueAttributes, answer, json =>
        {
            var attributes = json.GetProperty("Attributes");
            // ToString: SQS sends numbers as strings; other servers may send them as numbers.
            return QueueSettingsWire.Read(name =>
                attributes.TryGetProperty(name, out var value) && value.ValueKind != JsonValueKind.Null ? value.ToString() : null);
        });
    }

    public async ValueTask DeleteQueueAsync(string queueUrl, CancellationToken cancellationToken)
    {
        using var answer = await AskAsync(
            SqsOperation.DeleteQueue, queueUrl, static (json, url) => json.WriteString("QueueUrl"u8, url), cancellationToken);
    }

    public async ValueTask<IReadOnlyList<string>> ListQueuesAsync(string prefix, CancellationToken cancellationToken)
    {
        var urls = new List<string>();
        var pages = new HashSet<string>(StringComparer.Ordinal);
        string? next = null;
        do
        {
            using var answer = await AskAsync(SqsOperation.ListQueues, (prefix, next), static (json, call) =>
            {
                json.WriteString("QueueNamePrefix"u8, call.prefix);
                // Without it there are no pages, and results after the first 1,000 are cut off.
                json.WriteNumber("MaxResults"u8, 1000);
                if (call.next is not null)
                    json.WriteString("NextToken"u8, call.next);
            }, cancellationToken);
            next = Read(SqsOperation.ListQueues, answer, page =>
            {
                if (page.TryGetProperty("QueueUrls", out var found) && found.ValueKind == JsonValueKind.Array)
                    urls.AddRange(found.EnumerateArray().Select(url => url.GetString() ?? throw new JsonException("A queue URL is null.")));
                var following = page.TryGetProperty("NextToken", out var token) ? token.GetString() : null;
                return string.IsNullOrEmpty(following) || pages.Add(following)
                    ? following
                    : throw new JsonException("The pages have no end.");
            });
        }
        while (!string.IsNullOrEmpty(next));
        return urls;
    }

    public ValueTask<IReadOnlyList<EntryResult>> SendMessageBatchAsync(
        string queueUrl, IReadOnlyList<SendEntry> entries, CancellationToken cancellationToken) =>
        CallBatchAsync(SqsOperation.SendMessageBatch, queueUrl, entries, RequestJson.WriteSend, cancellationToken);

    public async ValueTask<IReadOnlyList<ReceivedMessage>> ReceiveMessagesAsync(
        string queueUrl, ReceiveRequest request, CancellationToken stopping)
    {
        ArgumentNullException.ThrowIfNull(request);
        var body = RequestJson.Write(256, (queueUrl, request), RequestJson.WriteReceive);
        // No token for a call under way: messages of a receive that is cut off would stay hidden.
        using var answer = await _transport.CallAsync(
            SqsOperation.ReceiveMessage, body, request.WaitTime, stopping, CancellationToken.None);
        try
        {
            var messages = ReceiveAnswer.Read(answer.Written.Span, out var corrupted);
            Traffic.CountReceive(messages.Count, corrupted);
            return messages;
        }
        catch (Exception fault) when (fault is JsonException or FormatException or InvalidOperationException)
        {
            throw _transport.Faults.BadAnswer(SqsOperation.ReceiveMessage, fault);
        }
    }

    public ValueTask<IReadOnlyList<EntryResult>> DeleteMessageBatchAsync(
        string queueUrl, IReadOnlyList<string> receiptHandles, CancellationToken cancellationToken) =>
        CallBatchAsync(
            SqsOperation.DeleteMessageBatch, queueUrl, receiptHandles,
            static (json, handle) => json.WriteString("ReceiptHandle"u8, handle), cancellationToken);

    public ValueTask<IReadOnlyList<EntryResult>> ChangeMessageVisibilityBatchAsync(
        string queueUrl, IReadOnlyList<VisibilityEntry> entries, CancellationToken cancellationToken) =>
        CallBatchAsync(SqsOperation.ChangeMessageVisibilityBatch, queueUrl, entries, RequestJson.WriteVisibility, cancellationToken);

    public void Dispose() => _transport.Dispose();

    // Writes the open entries, and reads the answer into their places.
    private ValueTask<IReadOnlyList<EntryResult>> CallBatchAsync<TEntry>(
        SqsOperation operation, string queueUrl, IReadOnlyList<TEntry> entries, Action<Utf8JsonWriter, TEntry> write,
        CancellationToken cancellationToken)
    {
        var sent = entries as IReadOnlyList<SendEntry>;
        var expected = EntryOverhead * (entries.Count + 1) + (sent?.Sum(entry => entry.Body.Length) ?? 0);
        return BatchCall.RunAsync(entries.Count, AskAsync, _transport.Retries, cancellationToken);

        async ValueTask AskAsync(EntryResult[] results)
        {
            var request = RequestJson.Write(expected, (queueUrl, entries, results, write), static (json, call) => WriteBatch(json, call));
            using var answer = await _transport.CallAsync(operation, request, TimeSpan.Zero, cancellationToken, cancellationToken);
            try
            {
                BatchAnswer.Read(answer.Written.Span, results, sent);
            }
            catch (Exception fault) when (fault is JsonException or FormatException or InvalidOperationException)
            {
                throw _transport.Faults.BadAnswer(operation, fault);
            }
        }
    }

    private static void WriteBatch<TEntry>(
        Utf8JsonWriter json,
        (string QueueUrl, IReadOnlyList<TEntry> Entries, EntryResult[] Results, Action<Utf8JsonWriter, TEntry> Write) call)
    {
        json.WriteString("QueueUrl"u8, call.QueueUrl);
        json.WriteStartArray("Entries"u8);
        for (var index = 0; index < call.Entries.Count; index++)
        {
            if (!BatchCall.IsOpen(call.Results[index]))
                continue;
            json.WriteStartObject();
            json.WriteId(index);
            call.Write(json, call.Entries[index]);
            json.WriteEndObject();
        }
        json.WriteEndArray();
    }

    private static string QueueUrl(JsonElement answer) =>
        answer.GetProperty("QueueUrl").GetString() ?? throw new JsonException("The queue URL is null.");

    private async ValueTask<PooledBytes> AskAsync<TState>(
        SqsOperation operation, TState state, Action<Utf8JsonWriter, TState> write, CancellationToken cancellationToken)
    {
        var request = RequestJson.Write(512, state, write);
        return await _transport.CallAsync(operation, request, TimeSpan.Zero, cancellationToken, cancellationToken);
    }

    private T Read<T>(SqsOperation operation, PooledBytes answer, Func<JsonElement, T> read)
    {
        try
        {
            using var json = JsonDocument.Parse(answer.Written);
            return read(json.RootElement);
        }
        catch (Exception fault) when (SqsFaults.IsUnreadable(fault))
        {
            throw _transport.Faults.BadAnswer(operation, fault);
        }
    }
}
