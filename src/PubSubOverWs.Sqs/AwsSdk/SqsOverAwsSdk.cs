using System.Globalization;
using System.Text;
using System.Text.Json;
using Amazon.Runtime;
using Amazon.Runtime.Internal;
using Amazon.SQS;
using Amazon.SQS.Internal;
using Amazon.SQS.Model;
using PubSubOverWs.Queues;

namespace PubSubOverWs.Sqs;

/// <summary>
/// SQS through Amazon's own client (AWSSDK.SQS 4): protocol and signatures are the SDK's; credentials, time-outs, retries, the check of MD5
/// and error messages are those of <see cref="SqsOverHttp"/>.
/// </summary>
public sealed class SqsOverAwsSdk : ISqs, IDisposable
{
    private readonly Attempts _attempts;
    private readonly SourcedCredentials _credentials = new();
    private readonly CountedHttpClients _connections;
    private readonly PlainSqsClient _client;

    /// <param name="options">The endpoint, the credentials, how long to try.</param>
    /// <param name="time">For time-outs and the waits between retries; signatures use the SDK's clock.</param>
    /// <param name="handler">Null: connections of its own. Given: for tests; it is disposed with the client.</param>
    /// <exception cref="QueueException">No region can be found, the endpoint is not a URL, or only AWS's own settings name one.</exception>
    public SqsOverAwsSdk(SqsOptions options, TimeProvider time, HttpMessageHandler? handler = null)
    {
        ArgumentNullException.ThrowIfNull(options);
        var address = SqsAddress.From(options, AwsService.Sqs);
        _attempts = new Attempts(address, options, time, Traffic);
        _connections = new CountedHttpClients(
            handler ?? SqsHandler.Create(address.Endpoint), address.Endpoint, _attempts.Faults, Traffic);
        _client = new PlainSqsClient(_credentials, new AmazonSQSConfig
        {
            // With the region of the signature, never with RegionEndpoint: each of the two unsets the other.
            ServiceURL = address.Endpoint.ToString(),
            AuthenticationRegion = address.Region,
            HttpClientFactory = _connections,
            MaxErrorRetry = 0,
            MaxStaleConnectionRetries = 0,
            // A wrong clock is reported, not corrected.
            DisableClockSkewCorrection = true,
        });
    }

    public QueueTraffic Traffic { get; } = new();

    public ValueTask<string> CreateQueueAsync(string name, QueueSettings settings, CancellationToken cancellationToken) =>
        AskAsync(
            SqsOperation.CreateQueue,
            async token => Known((await _client.CreateQueueAsync(
                new CreateQueueRequest { QueueName = name, Attributes = QueueSettingsWire.Write(settings) }, token)).QueueUrl),
            cancellationToken);

    public ValueTask<string> GetQueueUrlAsync(string name, CancellationToken cancellationToken) =>
        AskAsync(
            SqsOperation.GetQueueUrl,
            async token => Known((await _client.GetQueueUrlAsync(new GetQueueUrlRequest { QueueName = name }, token)).QueueUrl),
            cancellationToken);

    public ValueTask<QueueAttributes> GetQueueAttributesAsync(string queueUrl, CancellationToken cancellationToken) =>
        AskAsync(
            SqsOperation.GetQueueAttributes,
            async token =>
            {
                var answer = await _client.GetQueueAttributesAsync(
                    new GetQueueAttributesRequest { QueueUrl = queueUrl, AttributeNames = ["All"] }, token);
                var attributes = Known(answer.Attributes);
                return QueueSettingsWire.Read(attributes.GetValueOrDefault);
            },
            cancellationToken);

    public async ValueTask DeleteQueueAsync(string queueUrl, CancellationToken cancellationToken) =>
        await AskAsync(
            SqsOperation.DeleteQueue, token => _client.DeleteQueueAsync(new DeleteQueueRequest { QueueUrl = queueUrl }, token),
            cancellationToken);

    public async ValueTask<IReadOnlyList<string>> ListQueuesAsync(string prefix, CancellationToken cancellationToken) =>
        await _attempts.ReadPagesAsync(SqsOperation.ListQueues, next => AskAsync<(IEnumerable<string>, string?)>(
            SqsOperation.ListQueues,
            async token =>
            {
                // Without MaxResults there are no pages, and results after the first 1,000 are cut off.
                var page = await _client.ListQueuesAsync(
                    new ListQueuesRequest { QueueNamePrefix = prefix, MaxResults = 1000, NextToken = next }, token);
                return ((page.QueueUrls ?? []).ConvertAll(Known), page.NextToken);
            },
            cancellationToken));

    public ValueTask<IReadOnlyList<EntryResult>> SendAsync(
        string queueUrl, IReadOnlyList<SendEntry> entries, CancellationToken cancellationToken) =>
        BatchAsync(
            SqsOperation.SendMessageBatch,
            entries,
            (id, entry) => new SendMessageBatchRequestEntry
            {
                Id = id,
                MessageBody = Encoding.UTF8.GetString(entry.Body.Span),
                DelaySeconds = Seconds(entry.Delay),
            },
            async (open, token) =>
            {
                var answer = await _client.SendMessageBatchAsync(
                    new SendMessageBatchRequest { QueueUrl = queueUrl, Entries = open }, token);
                return (answer.Successful?.Select(done => (done.Id, (string?)done.MessageId, (string?)done.MD5OfMessageBody)),
                    answer.Failed);
            },
            cancellationToken);

    public async ValueTask<IReadOnlyList<ReceivedMessage>> ReceiveAsync(
        string queueUrl, ReceiveRequest request, CancellationToken stopping)
    {
        ArgumentNullException.ThrowIfNull(request);
        var ask = new ReceiveMessageRequest
        {
            QueueUrl = queueUrl,
            MaxNumberOfMessages = request.MaxMessages,
            WaitTimeSeconds = Seconds(request.WaitTime),
            VisibilityTimeout = Seconds(request.Visibility),
            MessageSystemAttributeNames = ["ApproximateReceiveCount"],
        };
        // No token for a call under way: messages of a receive that is cut off would stay hidden.
        var (messages, corrupted) = await RunAsync(
            SqsOperation.ReceiveMessage,
            async token => (Read(await _client.ReceiveMessageAsync(ask, token), out var unusable), unusable),
            request.WaitTime, stopping, CancellationToken.None);
        Traffic.CountReceive(messages.Count, corrupted);
        return messages;
    }

    public ValueTask<IReadOnlyList<EntryResult>> SettleAsync(
        string queueUrl, IReadOnlyList<string> receiptHandles, CancellationToken cancellationToken) =>
        BatchAsync(
            SqsOperation.DeleteMessageBatch,
            receiptHandles,
            (id, handle) => new DeleteMessageBatchRequestEntry { Id = id, ReceiptHandle = handle },
            async (open, token) =>
            {
                var answer = await _client.DeleteMessageBatchAsync(
                    new DeleteMessageBatchRequest { QueueUrl = queueUrl, Entries = open }, token);
                return (answer.Successful?.Select(done => (done.Id, (string?)null, (string?)null)), answer.Failed);
            },
            cancellationToken);

    public ValueTask<IReadOnlyList<EntryResult>> HoldAsync(
        string queueUrl, IReadOnlyList<HoldEntry> entries, CancellationToken cancellationToken) =>
        BatchAsync(
            SqsOperation.ChangeMessageVisibilityBatch,
            entries,
            (id, entry) => new ChangeMessageVisibilityBatchRequestEntry
            {
                Id = id,
                ReceiptHandle = entry.ReceiptHandle,
                VisibilityTimeout = Seconds(entry.Visibility),
            },
            async (open, token) =>
            {
                var answer = await _client.ChangeMessageVisibilityBatchAsync(
                    new ChangeMessageVisibilityBatchRequest { QueueUrl = queueUrl, Entries = open }, token);
                return (answer.Successful?.Select(done => (done.Id, (string?)null, (string?)null)), answer.Failed);
            },
            cancellationToken);

    public void Dispose()
    {
        _client.Dispose();
        _connections.Dispose();
    }

    // Collections missing from the answer are null in version 4 of the SDK.
    private static List<ReceivedMessage> Read(ReceiveMessageResponse answer, out int corrupted)
    {
        corrupted = 0;
        var messages = new List<ReceivedMessage>(answer.Messages?.Count ?? 0);
        foreach (var message in answer.Messages ?? [])
        {
            var body = Encoding.UTF8.GetBytes(message.Body ?? "");
            var count = message.Attributes?.GetValueOrDefault("ApproximateReceiveCount");
            if (Md5.Matches(body, message.MD5OfBody))
                messages.Add(
                    new ReceivedMessage(
                        Known(message.MessageId), Known(message.ReceiptHandle), body,
                        count is null ? 0 : int.Parse(count, CultureInfo.InvariantCulture)));
            else
                corrupted++;
        }
        return messages;
    }

    // SQS always sends these values; the SDK does not check for them.
    private static T Known<T>(T? value)
        where T : class => value ?? throw new JsonException("The answer lacks what it must have.");

    private static int? Seconds(TimeSpan? time) => (int?)time?.TotalSeconds;

    private ValueTask<T> AskAsync<T>(SqsOperation operation, Func<CancellationToken, Task<T>> call, CancellationToken cancellationToken) =>
        RunAsync(operation, call, TimeSpan.Zero, cancellationToken, cancellationToken);

    private ValueTask<T> RunAsync<T>(
        SqsOperation operation, Func<CancellationToken, Task<T>> call, TimeSpan wait, CancellationToken betweenAttempts,
        CancellationToken inFlight) =>
        _attempts.RunAsync(
            operation,
            (credentials, token) =>
            {
                _credentials.Current = credentials;
                return call(token);
            },
            wait, betweenAttempts, inFlight);

    private ValueTask<IReadOnlyList<EntryResult>> BatchAsync<TEntry, TRequest>(
        SqsOperation operation, IReadOnlyList<TEntry> entries, Func<string, TEntry, TRequest> write,
        Func<List<TRequest>, CancellationToken, Task<(IEnumerable<(string Id, string? MessageId, string? Md5)>? Done,
            List<BatchResultErrorEntry>? Failed)>> call,
        CancellationToken cancellationToken)
    {
        return BatchCall.RunAsync(
            entries.Count,
            async results => await AskAsync(operation, token => FillAsync(results, token), cancellationToken),
            _attempts.Retries,
            cancellationToken);

        async Task<bool> FillAsync(EntryResult[] results, CancellationToken token)
        {
            var open = Enumerable.Range(0, results.Length).Where(index => BatchCall.IsOpen(results[index]))
                .Select(index => write(index.ToString(CultureInfo.InvariantCulture), entries[index]));
            var (done, failed) = await call([.. open], token);
            foreach (var (id, messageId, md5) in done ?? [])
            {
                var index = Index(id);
                var arrived = entries[index] is not SendEntry sent || Md5.Matches(sent.Body.Span, md5);
                results[index] = arrived ? new EntryResult(null, messageId) : BatchCall.Corrupted;
            }
            foreach (var entry in failed ?? [])
                results[Index(entry.Id)] = BatchCall.Failed(entry.Code, entry.Message, entry.SenderFault ?? false);
            return true;
        }

        int Index(string? id) => int.TryParse(id, NumberStyles.None, CultureInfo.InvariantCulture, out var index) && index < entries.Count
            ? index
            : throw new JsonException("An entry has an id that no entry of the call has.");
    }
}

/// <summary>Makes the client that <c>Sqs:Client</c> names.</summary>
public static class SqsClient
{
    /// <inheritdoc cref="SqsOverHttp(SqsOptions, TimeProvider, HttpMessageHandler)"/>
    public static ISqs Create(SqsOptions options, TimeProvider time, HttpMessageHandler? handler = null)
    {
        ArgumentNullException.ThrowIfNull(options);
        return options.Client == SqsClientKind.AwsSdk
            ? new SqsOverAwsSdk(options, time, handler)
            : new SqsOverHttp(options, time, handler);
    }
}

/// <summary>
/// The SDK's client without its own check of MD5, which refuses a whole receive for one wrong body, and does not say which.
/// <see cref="SqsOverAwsSdk"/> checks each body itself.
/// </summary>
internal sealed class PlainSqsClient(AWSCredentials credentials, AmazonSQSConfig config) : AmazonSQSClient(credentials, config)
{
    protected override void CustomizeRuntimePipeline(RuntimePipeline pipeline)
    {
        base.CustomizeRuntimePipeline(pipeline);
        pipeline.RemoveHandler<ValidationResponseHandler>();
    }
}

/// <summary>
/// Has the SDK sign with the credentials of <see cref="CredentialSource"/>, as <see cref="SqsOverHttp"/> does. The SDK's signer asks for
/// them synchronously and would block a thread while they are looked up, so each attempt has looked them up before.
/// </summary>
internal sealed class SourcedCredentials : AWSCredentials
{
    private volatile ImmutableCredentials? _current;

    /// <summary>Those of the latest attempt.</summary>
    public ImmutableCredentials Current
    {
        get => _current ?? throw new InvalidOperationException("No attempt has looked them up.");
        set => _current = value;
    }

    public override ImmutableCredentials GetCredentials() => Current;
}
