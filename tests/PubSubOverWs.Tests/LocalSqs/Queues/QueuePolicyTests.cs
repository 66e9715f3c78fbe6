using PubSubOverWs.LocalSqs;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.LocalSqs;

public sealed class QueuePolicyTests
{
    private const string Topic = "arn:aws:sns:us-east-1:000000000000:prices";

    private static readonly string Allowed = TopicPolicy.Allow(QueueStore.ArnOf("jobs"), Topic);

    private readonly TestQueue _test = new();

    [Fact]
    public void A_topic_is_allowed_and_forbidden_again()
    {
        Set(Allowed);
        Assert.Equal(Topic, _test.Queue.Settings.Policy?.TopicArn);

        Set("");
        Assert.Null(_test.Queue.Settings.Policy);
    }

    [Fact]
    public void A_policy_is_the_same_in_whatever_order_its_members_stand()
    {
        Set($$$$"""
            {"Statement": [{"Condition": {"ArnEquals": {"aws:SourceArn": "{{{{Topic}}}}"}}, "Resource": "{{{{QueueStore.ArnOf("jobs")}}}}",
              "Action": "sqs:SendMessage", "Principal": {"Service": "sns.amazonaws.com"}, "Effect": "Allow"}], "Version": "2012-10-17"}
            """);

        Assert.Equal(Topic, _test.Queue.Settings.Policy?.TopicArn);
    }

    [Theory]
    [InlineData("\"Allow\"", "\"Deny\"")]
    [InlineData("{\"Service\":\"sns.amazonaws.com\"}", "\"*\"")]
    [InlineData("\"sqs:SendMessage\"", "\"sqs:*\"")]
    [InlineData(":jobs\"", ":other\"")]
    [InlineData("ArnEquals", "ArnLike")]
    [InlineData("\"Effect\"", "\"Sid\":\"x\",\"Effect\"")]
    [InlineData("2012-10-17", "2008-10-17")]
    [InlineData("[", "[1,")]
    [InlineData("}", "")]
    public void Any_other_policy_is_refused_and_changes_nothing(string part, string other)
    {
        Set(Allowed);

        var refused = Assert.Throws<SqsErrorException>(() => Set(Allowed.Replace(part, other, StringComparison.Ordinal)));

        Assert.Equal(SqsError.InvalidAttributeValue, refused.Error);
        Assert.Equal(Allowed, _test.Queue.Settings.Policy?.Text);
    }

    private void Set(string policy) => _test.Store.Change("jobs", [new("Policy", policy)]);
}
