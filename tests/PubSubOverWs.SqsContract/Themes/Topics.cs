using PubSubOverWs.Sqs;

namespace PubSubOverWs.SqsContract;

/// <summary>
/// Topics of SNS themselves. This and the themes <see cref="Subscriptions"/>, <see cref="Publishes"/> and <see cref="TopicSignatures"/> are
/// the part of SNS that this project uses (https://docs.aws.amazon.com/sns/latest/api/API_Operations.html).
/// </summary>
internal static class Topics
{
    [Behaviour]
    public static async Task Creating_a_topic_again_finds_it(Trial trial)
    {
        var name = trial.NewName();

        var arn = await trial.Topics.CreateAsync(name);

        Assert.Equal(arn, await trial.Topics.CreateAsync(name));
        Assert.EndsWith($":{name}", arn, StringComparison.Ordinal);
    }

    [Behaviour]
    public static async Task Topics_are_listed(Trial trial)
    {
        var name = trial.NewName();
        var first = await trial.Topics.CreateAsync($"{name}-a");
        var second = await trial.Topics.CreateAsync($"{name}-b");
        await trial.Topics.CreateAsync(trial.NewName());

        Assert.Equal(
            [first, second], (await trial.Topics.Sns.ListTopicsAsync($"{name}-", CancellationToken.None)).Order(StringComparer.Ordinal));
    }

    [Behaviour]
    public static async Task A_deleted_topic_is_gone_and_deleting_it_again_is_not_an_error(Trial trial)
    {
        var arn = await trial.CreateTopicAsync();
        var queue = await trial.SubscribeQueueAsync(arn);

        await trial.Topics.Sns.DeleteTopicAsync(arn, CancellationToken.None);
        await trial.Topics.Sns.DeleteTopicAsync(arn, CancellationToken.None);

        await Steps.RefusedAsync(SnsErrorCode.NotFound, trial.Topics.PublishAsync(arn, "late"));
        Assert.Empty(await trial.Sqs.PollAsync(queue.Url));
    }

    [Behaviour]
    public static async Task A_name_that_SNS_does_not_allow_is_refused(Trial trial)
    {
        foreach (var name in new[] { "with space", "with/slash", new string('x', 257) })
            await Steps.RefusedAsync(SnsErrorCode.InvalidParameter, trial.Topics.CreateAsync(name));
    }

    [Behaviour]
    public static async Task An_invalid_ARN_is_refused(Trial trial) =>
        await Steps.RefusedAsync(SnsErrorCode.InvalidParameter, trial.Topics.PublishAsync("topic", "lost"));
}
