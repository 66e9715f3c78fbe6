using System.Globalization;

namespace PubSubOverWs.LocalSqs;

/// <summary>The operations on topics themselves.</summary>
internal static class TopicOperations
{
    /// <summary>The length of a page of any list of SNS.</summary>
    public const int PageSize = 100;

    public static object CreateTopic(SnsCall call)
    {
        var name = call.Form.TakeNeeded("Name");
        call.Form.RefuseOthers();
        return AnswerXml.Element("TopicArn", call.Topics.Create(name).Arn);
    }

    public static object? DeleteTopic(SnsCall call)
    {
        var arn = call.Form.TakeNeeded("TopicArn");
        call.Form.RefuseOthers();
        call.Topics.Delete(arn);
        return null;
    }

    public static object ListTopics(SnsCall call)
    {
        var after = call.Form.Take("NextToken") ?? "";
        call.Form.RefuseOthers();
        var arns = call.Topics.List(after, PageSize + 1);
        var members = arns.Take(PageSize).Select(arn => AnswerXml.Element("member", AnswerXml.Element("TopicArn", arn)));
        return new object?[]
        {
            AnswerXml.Element("Topics", [.. members]),
            arns.Count > PageSize ? AnswerXml.Element("NextToken", arns[PageSize - 1]) : null,
        };
    }

    public static object GetTopicAttributes(SnsCall call)
    {
        var arn = call.Form.TakeNeeded("TopicArn");
        call.Form.RefuseOthers();
        var subscriptions = call.Topics.SubscriptionsOf(arn).Count.ToString(CultureInfo.InvariantCulture);
        return AnswerXml.Map(
            "Attributes",
            ("TopicArn", arn), ("Owner", QueueStore.Account), ("DisplayName", ""),
            ("SubscriptionsConfirmed", subscriptions), ("SubscriptionsPending", "0"), ("SubscriptionsDeleted", "0"));
    }
}
