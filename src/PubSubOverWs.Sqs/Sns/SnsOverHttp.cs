using System.Globalization;
using System.Xml.Linq;
using PubSubOverWs.Queues;

namespace PubSubOverWs.Sqs;

/// <summary>SNS over HTTP, in its Query protocol, against AWS itself or any server that speaks it beside SQS.</summary>
public sealed class SnsOverHttp : ISns, IDisposable
{
    // Around an escaped message: the names of its two parameters, and its id.
    private const int EntryOverhead = 128;

    private readonly SqsTransport _transport;

    /// <param name="options">Those of the queue: endpoint, credentials, how long to try. The endpoint serves both; without one the calls go
    /// to SNS in the region.</param>
    /// <param name="time">For signatures, time-outs and the waits between retries.</param>
    /// <param name="traffic">The counter, such as that of the client of the queue. Null: one of its own.</param>
    /// <param name="handler">Null: connections of its own. Given: for tests; it is disposed with the client.</param>
    /// <exception cref="QueueException">No region can be found, or the endpoint is not a URL.</exception>
    public SnsOverHttp(SqsOptions options, TimeProvider time, QueueTraffic? traffic = null, HttpMessageHandler? handler = null)
    {
        ArgumentNullException.ThrowIfNull(options);
        var address = SqsAddress.From(options, AwsService.Sns);
        Endpoint = address.Endpoint;
        Traffic = traffic ?? new QueueTraffic();
        _transport = new SqsTransport(address, options, handler, time, Traffic);
    }

    /// <summary>The endpoint of the calls.</summary>
    public Uri Endpoint { get; }

    public QueueTraffic Traffic { get; }

    public ValueTask<string> CreateTopicAsync(string name, CancellationToken cancellationToken) =>
        AskAsync(SnsOperation.CreateTopic, form => form.Add("Name", name), answer => answer.Needed("TopicArn"), cancellationToken);

    public ValueTask<string> SubscribeQueueAsync(string topicArn, string queueArn, CancellationToken cancellationToken) => AskAsync(
        SnsOperation.Subscribe,
        form => form.Add("TopicArn", topicArn).Add("Protocol", "sqs").Add("Endpoint", queueArn)
            .Add("Attributes.entry.1.key", "RawMessageDelivery").Add("Attributes.entry.1.value", "true")
            // Else the answer of AWS may be "pending confirmation", for a queue of another account.
            .Add("ReturnSubscriptionArn", "true"),
        answer => answer.Needed("SubscriptionArn"),
        cancellationToken);

    public async ValueTask UnsubscribeAsync(string subscriptionArn, CancellationToken cancellationToken) =>
        await AskAsync(SnsOperation.Unsubscribe, form => form.Add("SubscriptionArn", subscriptionArn), _ => true, cancellationToken);

    public async ValueTask<IReadOnlyList<TopicSubscription>> ListSubscriptionsAsync(string topicArn, CancellationToken cancellationToken)
    {
        var members = await ListAsync(
            SnsOperation.ListSubscriptionsByTopic, "Subscriptions", form => form.Add("TopicArn", topicArn), cancellationToken);
        return
        [
            .. from member in members
               // Other protocols do not copy into a queue.
               where member.Text("Protocol") == "sqs" && member.Needed("SubscriptionArn").StartsWith("arn:", StringComparison.Ordinal)
               select new TopicSubscription(member.Needed("SubscriptionArn"), member.Needed("Endpoint")),
        ];
    }

    public ValueTask<IReadOnlyList<EntryResult>> PublishBatchAsync(
        string topicArn, IReadOnlyList<ReadOnlyMemory<byte>> messages, CancellationToken cancellationToken)
    {
        var expected = 256 + messages.Sum(message => EntryOverhead + message.Length * 3 / 2);
        return BatchCall.RunAsync(messages.Count, PublishAsync, _transport.Attempts.Retries, cancellationToken);

        async ValueTask PublishAsync(EntryResult[] results)
        {
            var form = new RequestForm(expected, SnsOperation.PublishBatch.Name).Add("TopicArn", topicArn);
            for (int index = 0, member = 0; index < messages.Count; index++)
            {
                if (!BatchCall.IsOpen(results[index]))
                    continue;
                var name = string.Create(CultureInfo.InvariantCulture, $"PublishBatchRequestEntries.member.{++member}.");
                form.Add(name + "Id", index.ToString(CultureInfo.InvariantCulture)).Add(name + "Message", messages[index].Span);
            }
            await SendAsync(SnsOperation.PublishBatch, form, answer => ReadResults(answer, results), cancellationToken);
        }
    }

    public async ValueTask DeleteTopicAsync(string topicArn, CancellationToken cancellationToken) =>
        await AskAsync(SnsOperation.DeleteTopic, form => form.Add("TopicArn", topicArn), _ => true, cancellationToken);

    public async ValueTask<IReadOnlyList<string>> ListTopicsAsync(string prefix, CancellationToken cancellationToken)
    {
        var members = await ListAsync(SnsOperation.ListTopics, "Topics", form => form, cancellationToken);
        return
        [
            .. members.Select(member => member.Needed("TopicArn"))
                .Where(arn => arn[(arn.LastIndexOf(':') + 1)..].StartsWith(prefix, StringComparison.Ordinal)),
        ];
    }

    public void Dispose() => _transport.Dispose();

    private static bool ReadResults(XElement answer, EntryResult[] results)
    {
        foreach (var done in answer.Members("Successful"))
            results[IndexOf(done)] = new EntryResult(null, done.Text("MessageId"));
        foreach (var failed in answer.Members("Failed"))
            results[IndexOf(failed)] = BatchCall.Failed(
                failed.Text("Code"), failed.Text("Message"), bool.Parse(failed.Needed("SenderFault")));
        return true;
    }

    private static int IndexOf(XElement entry) => int.Parse(entry.Needed("Id"), NumberStyles.None, CultureInfo.InvariantCulture);

    /// <summary>The members of a list, across its pages.</summary>
    private ValueTask<List<XElement>> ListAsync(
        SqsOperation operation, string list, Func<RequestForm, RequestForm> write, CancellationToken cancellationToken) =>
        _transport.Attempts.ReadPagesAsync(operation, next => AskAsync(
            operation,
            form => next is null ? write(form) : write(form).Add("NextToken", next),
            answer => (answer.Members(list), answer.Text("NextToken")),
            cancellationToken));

    private ValueTask<T> AskAsync<T>(
        SqsOperation operation, Func<RequestForm, RequestForm> write, Func<XElement, T> read, CancellationToken cancellationToken) =>
        SendAsync(operation, write(new RequestForm(512, operation.Name)), read, cancellationToken);

    private ValueTask<T> SendAsync<T>(
        SqsOperation operation, RequestForm form, Func<XElement, T> read, CancellationToken cancellationToken) =>
        _transport.CallAsync(operation, form.Bytes, answer => read(AnswerXml.Parse(answer, operation)), cancellationToken);
}

/// <summary>The operations of SNS that we use.</summary>
internal static class SnsOperation
{
    public static readonly SqsOperation CreateTopic = new(nameof(CreateTopic), QueueCall.Other);
    public static readonly SqsOperation DeleteTopic = new(nameof(DeleteTopic), QueueCall.Other);
    public static readonly SqsOperation ListTopics = new(nameof(ListTopics), QueueCall.Other);
    public static readonly SqsOperation Subscribe = new(nameof(Subscribe), QueueCall.Other);
    public static readonly SqsOperation Unsubscribe = new(nameof(Unsubscribe), QueueCall.Other);
    public static readonly SqsOperation ListSubscriptionsByTopic = new(nameof(ListSubscriptionsByTopic), QueueCall.Other);
    public static readonly SqsOperation PublishBatch = new(nameof(PublishBatch), QueueCall.Send);
}
