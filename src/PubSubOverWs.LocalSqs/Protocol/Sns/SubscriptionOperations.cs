using System.Globalization;

namespace PubSubOverWs.LocalSqs;

/// <summary>The operations on subscriptions: only of queues, and only with raw delivery.</summary>
internal static class SubscriptionOperations
{
    private const string RawMessageDelivery = nameof(RawMessageDelivery);
    private const string Protocol = "sqs";

    public static object Subscribe(SnsCall call)
    {
        var topicArn = call.Form.TakeNeeded("TopicArn");
        var protocol = call.Form.TakeNeeded("Protocol");
        var endpoint = call.Form.TakeNeeded("Endpoint");
        // The ARN is always returned, whatever this says.
        call.Form.Take("ReturnSubscriptionArn");
        var attributes = call.Form.Members("Attributes.entry").ToDictionary(
            entry => call.Form.TakeNeeded(entry + "key"), entry => call.Form.TakeNeeded(entry + "value"));
        call.Form.RefuseOthers();
        if (protocol != Protocol)
            throw SnsError.Missing($"the protocol {protocol}, but {Protocol} only");
        foreach (var (name, value) in attributes)
            CheckAttribute(name, value);
        if (attributes.Count == 0)
            throw NotRaw();
        return AnswerXml.Element("SubscriptionArn", call.Topics.Subscribe(topicArn, CheckQueue(endpoint)).Arn);
    }

    public static object? Unsubscribe(SnsCall call)
    {
        var arn = call.Form.TakeNeeded("SubscriptionArn");
        call.Form.RefuseOthers();
        call.Topics.Unsubscribe(arn);
        return null;
    }

    public static object ListSubscriptionsByTopic(SnsCall call)
    {
        var topicArn = call.Form.TakeNeeded("TopicArn");
        var start = int.TryParse(call.Form.Take("NextToken") ?? "0", NumberStyles.None, CultureInfo.InvariantCulture, out var given)
            ? given
            : throw SnsError.Invalid("NextToken");
        call.Form.RefuseOthers();
        var all = call.Topics.SubscriptionsOf(topicArn);
        var members = all.Skip(start).Take(TopicOperations.PageSize).Select(subscription => AnswerXml.Element(
            "member",
            AnswerXml.Element("SubscriptionArn", subscription.Arn),
            AnswerXml.Element("Owner", QueueStore.Account),
            AnswerXml.Element("Protocol", Protocol),
            AnswerXml.Element("Endpoint", subscription.QueueArn),
            AnswerXml.Element("TopicArn", topicArn)));
        var next = (start + TopicOperations.PageSize).ToString(CultureInfo.InvariantCulture);
        return new object?[]
        {
            AnswerXml.Element("Subscriptions", [.. members]),
            all.Count > start + TopicOperations.PageSize ? AnswerXml.Element("NextToken", next) : null,
        };
    }

    public static object GetSubscriptionAttributes(SnsCall call)
    {
        var arn = call.Form.TakeNeeded("SubscriptionArn");
        call.Form.RefuseOthers();
        var subscription = call.Topics.FindSubscription(arn);
        return AnswerXml.Map(
            "Attributes",
            ("SubscriptionArn", arn), ("TopicArn", subscription.Topic.Arn), ("Owner", QueueStore.Account), ("Protocol", Protocol),
            ("Endpoint", subscription.QueueArn), (RawMessageDelivery, "true"), ("PendingConfirmation", "false"),
            ("ConfirmationWasAuthenticated", "true"));
    }

    /// <summary>Changes nothing: the one attribute has one value.</summary>
    public static object? SetSubscriptionAttributes(SnsCall call)
    {
        var arn = call.Form.TakeNeeded("SubscriptionArn");
        var name = call.Form.TakeNeeded("AttributeName");
        var value = call.Form.Take("AttributeValue") ?? "";
        call.Form.RefuseOthers();
        call.Topics.FindSubscription(arn);
        CheckAttribute(name, value);
        return null;
    }

    private static void CheckAttribute(string name, string value)
    {
        if (name != RawMessageDelivery)
            throw SnsError.Missing($"the attribute {name} of a subscription, but {RawMessageDelivery} only");
        if (value != "true")
            throw NotRaw();
    }

    private static SqsErrorException NotRaw() => SnsError.Missing($"SNS's envelope around messages: set {RawMessageDelivery} to true");

    private static string CheckQueue(string endpoint) =>
        !endpoint.StartsWith(QueueStore.ArnOf(""), StringComparison.Ordinal) ? throw SnsError.Invalid("SQS endpoint ARN")
        : endpoint.EndsWith(".fifo", StringComparison.Ordinal)
            ? throw SnsError.Invalid("Endpoint Reason: FIFO SQS Queues can not be subscribed to standard SNS topics")
            : endpoint;
}
