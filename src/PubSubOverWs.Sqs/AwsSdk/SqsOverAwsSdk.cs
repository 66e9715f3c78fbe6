using System.Globalization;
using System.Text;
using Amazon.Runtime;
using Amazon.SQS;
using Amazon.SQS.Model;

namespace PubSubOverWs.Sqs;

/// <summary>
/// SQS through Amazon's own client (AWSSDK.SQS 4): protocol, signatures and MD5 are the SDK's; time-outs, retries and sentences are those of
/// <see cref="SqsOverHttp"/>. One body that does not have its MD5 costs the whole receive: all its messages come again.
/// </summary>
public sealed class SqsOverAwsSdk : ISqs, IDisposable
{
    private readonly CountedHttpClients _connections;
    private readonly AmazonSQSClient _client;
    private readonly AwsSdkCalls _calls;

    /// <param name="options">Where, as whom, how long to try.</param>
    /// <param name="time">For time-outs and the waits between retries; signatures take the SDK's clock.</param>
    /// <exception cref="SqsException">No region can be found, or the endpoint is not a URL.</exception>
    public SqsOverAwsSdk(SqsOptions options, TimeProvider time)
    {
        ArgumentNullException.ThrowIfNull(options);
        var address = SqsAddress.Of(options, AwsService.Sqs);
        _connections = new CountedHttpClients(address.Endpoint, Traffic);
        _calls = new AwsSdkCalls(address, options, time, Traffic);
        var config = new AmazonSQSConfig
        {
            // With the region of the signature, never with RegionEndpoint: each of the two unsets the other.
            ServiceURL = address.Endpoint.ToString(),
            AuthenticationRegion = address.Region,
            HttpClientFactory = _connections,
            MaxErrorRetry = 0,
            MaxStaleConnectionRetries = 0,
        };
        _client = Credentials(options) is { } configured ? new AmazonSQSClient(configured, config) : new AmazonSQSClient(config);
    }

    public SqsTraffic Traffic { get; } = new();

    public ValueTask<string> CreateQueueAsync(string name, QueueSettings settings, CancellationToken cancellationToken) =>
        AskAsync(
            SqsOperation.CreateQueue,
            async token => (await _client.CreateQueueAsync(
                new CreateQueueRequest { QueueName = name, Attributes = QueueSettingsWire.Write(settings) }, token)).QueueUrl,
            cancellationToken);

    public ValueTask<string> GetQueueUrlAsync(string name, CancellationToken cancellationToken) =>
        AskAsync(
            SqsOperation.GetQueueUrl,
            async token => (await _client.GetQueueUrlAsync(new GetQueueUrlRequest { QueueName = name }, token)).QueueUrl,
            cancellationToken);

    public ValueTask<QueueAttributes> GetQueueAttributesAsync(string queueUrl, CancellationToken cancellationToken) =>
        AskAsync(
            SqsOperation.GetQueueAttributes,
            async token =>
            {
                var answer = await _client.GetQueueAttributesAsync(
                    new GetQueueAttributesRequest { QueueUrl = queueUrl, AttributeNames = ["All"] }, token);
                return QueueSettingsWire.Read(name => answer.Attributes?.GetValueOrDefault(name));
            },
            cancellationToken);

    public async ValueTask SetQueueAttributesAsync(string queueUrl, QueueSettings settings, CancellationToken cancellationToken) =>
        await AskAsync(
            SqsOperation.SetQueueAttributes,
            token => _client.SetQueueAttributesAsync(
                new SetQueueAttributesRequest { QueueUrl = queueUrl, Attributes = QueueSettingsWire.Write(settings) }, token),
            cancellationToken);

    public async ValueTask DeleteQueueAsync(string queueUrl, CancellationToken cancellationToken) =>
        await AskAsync(
            SqsOperation.DeleteQueue, token => _client.DeleteQueueAsync(new DeleteQueueRequest { QueueUrl = queueUrl }, token), cancellationToken);

    public async ValueTask PurgeQueueAsync(string queueUrl, CancellationToken cancellationToken) =>
        await AskAsync(
            SqsOperation.PurgeQueue, token => _client.PurgeQueueAsync(new PurgeQueueRequest { QueueUrl = queueUrl }, token), cancellationToken);

    public async ValueTask<IReadOnlyList<string>> ListQueuesAsync(string prefix, CancellationToken cancellationToken)
    {
        var urls = new List<string>();
        string? next = null;
        do
        {
            // Without MaxResults there are no pages, and what comes after the first 1,000 is cut off.
            var request = new ListQueuesRequest { QueueNamePrefix = prefix, MaxResults = 1000, NextToken = next };
            var page = await AskAsync(SqsOperation.ListQueues, token => _client.ListQueuesAsync(request, token), cancellationToken);
            urls.AddRange(page.QueueUrls ?? []);
            next = page.NextToken;
        }
        while (!string.IsNullOrEmpty(next));
        return urls;
    }

    public ValueTask<IReadOnlyList<EntryResult>> SendMessageBatchAsync(
        string queueUrl, IReadOnlyList<SendEntry> entries, CancellationToken cancellationToken) =>
        BatchAsync(
            SqsOperation.SendMessageBatch,
            entries,
            (id, entry) => new SendMessageBatchRequestEntry
            {
                Id = id,
                MessageBody = Encoding.UTF8.GetString(entry.Body.Span),
                DelaySeconds = Seconds(entry.Delay),
                MessageGroupId = entry.GroupId,
                MessageDeduplicationId = entry.DeduplicationId,
            },
            async (open, token) =>
            {
                var answer = await _client.SendMessageBatchAsync(new SendMessageBatchRequest { QueueUrl = queueUrl, Entries = open }, token);
                return (answer.Successful?.Select(done => (done.Id, (string?)done.MessageId)), answer.Failed);
            },
            cancellationToken);

    public async ValueTask<IReadOnlyList<ReceivedMessage>> ReceiveMessagesAsync(string queueUrl, ReceiveRequest request, CancellationToken stopping)
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
        try
        {
            var messages = await _calls.RunAsync(
                SqsOperation.ReceiveMessage, async token => Read(await _client.ReceiveMessageAsync(ask, token)), request.WaitTime, stopping, CancellationToken.None);
            Traffic.CountReceive(messages.Count, corrupted: 0);
            return messages;
        }
        catch (SqsException failure) when (failure.Code == SqsErrorCode.Md5Mismatch)
        {
            Traffic.CountReceive(messages: 0, corrupted: 1);
            return [];
        }
    }

    public ValueTask<IReadOnlyList<EntryResult>> DeleteMessageBatchAsync(
        string queueUrl, IReadOnlyList<string> receiptHandles, CancellationToken cancellationToken) =>
        BatchAsync(
            SqsOperation.DeleteMessageBatch,
            receiptHandles,
            (id, handle) => new DeleteMessageBatchRequestEntry { Id = id, ReceiptHandle = handle },
            async (open, token) =>
            {
                var answer = await _client.DeleteMessageBatchAsync(new DeleteMessageBatchRequest { QueueUrl = queueUrl, Entries = open }, token);
                return (answer.Successful?.Select(done => (done.Id, (string?)null)), answer.Failed);
            },
            cancellationToken);

    public ValueTask<IReadOnlyList<EntryResult>> ChangeMessageVisibilityBatchAsync(
        string queueUrl, IReadOnlyList<VisibilityEntry> entries, CancellationToken cancellationToken) =>
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
                return (answer.Successful?.Select(done => (done.Id, (string?)null)), answer.Failed);
            },
            cancellationToken);

    public void Dispose()
    {
        _client.Dispose();
        _connections.Dispose();
    }

    // Null: the SDK's own default chain, which is that of SqsOverHttp too.
    private static AWSCredentials? Credentials(SqsOptions options) =>
        string.IsNullOrEmpty(options.AccessKey) ? null
        : string.IsNullOrEmpty(options.SessionToken) ? new BasicAWSCredentials(options.AccessKey, options.SecretKey)
        : new SessionAWSCredentials(options.AccessKey, options.SecretKey, options.SessionToken);

    // Collections that the answer lacks are null in version 4 of the SDK.
    private static IReadOnlyList<ReceivedMessage> Read(ReceiveMessageResponse answer) =>
    [
        .. (answer.Messages ?? []).Select(message => new ReceivedMessage(
            message.MessageId,
            message.ReceiptHandle,
            Encoding.UTF8.GetBytes(message.Body),
            message.Attributes?.GetValueOrDefault("ApproximateReceiveCount") is { } count ? int.Parse(count, CultureInfo.InvariantCulture) : 0)),
    ];

    private static int? Seconds(TimeSpan? time) => (int?)time?.TotalSeconds;

    private ValueTask<T> AskAsync<T>(SqsOperation operation, Func<CancellationToken, Task<T>> call, CancellationToken cancellationToken) =>
        _calls.RunAsync(operation, call, TimeSpan.Zero, cancellationToken, cancellationToken);

    private ValueTask<IReadOnlyList<EntryResult>> BatchAsync<TEntry, TRequest>(
        SqsOperation operation, IReadOnlyList<TEntry> entries, Func<string, TEntry, TRequest> write,
        Func<List<TRequest>, CancellationToken, Task<(IEnumerable<(string Id, string? MessageId)>? Done, List<BatchResultErrorEntry>? Failed)>> call,
        CancellationToken cancellationToken)
    {
        return BatchCall.RunAsync(
            entries.Count,
            async results => await AskAsync(operation, token => FillAsync(results, token), cancellationToken),
            _calls.Retries,
            cancellationToken);

        async Task<bool> FillAsync(EntryResult[] results, CancellationToken token)
        {
            var open = Enumerable.Range(0, results.Length).Where(index => BatchCall.IsOpen(results[index]))
                .Select(index => write(index.ToString(CultureInfo.InvariantCulture), entries[index]));
            var (done, failed) = await call([.. open], token);
            foreach (var (id, messageId) in done ?? [])
                results[int.Parse(id, CultureInfo.InvariantCulture)] = new EntryResult(null, messageId);
            foreach (var entry in failed ?? [])
                results[int.Parse(entry.Id, CultureInfo.InvariantCulture)] = BatchCall.Failed(entry.Code, entry.Message, entry.SenderFault ?? false);
            return true;
        }
    }
}
