namespace PubSubOverWs.SqsContract;

/// <summary>Calls to SNS are signed for SNS; other calls have no effect.</summary>
internal static class TopicSignatures
{
    [Behaviour]
    public static async Task A_call_without_a_signature_is_refused(Trial trial) =>
        (await trial.Topics.Raw.CallAsync(null, "sns", "ListTopics"))
            .ShouldBeRefusedWith("MissingAuthenticationToken", "IncompleteSignature", "AccessDenied");

    [Behaviour]
    public static async Task A_call_signed_with_another_secret_is_refused_and_has_no_effect(Trial trial)
    {
        var topic = await trial.CreateTopicAsync();
        var queue = await trial.SubscribeQueueAsync(topic);

        var answer = await trial.Topics.Raw.CallAsync(
            trial.Raw.Endpoint with { SecretKey = "another" }, "sns", "Publish", ("TopicArn", topic), ("Message", "forged"));

        answer.ShouldBeRefusedWith("SignatureDoesNotMatch");
        Assert.Empty(await trial.Sqs.PollAsync(queue.Url));
    }

    [Behaviour]
    public static async Task A_call_signed_for_SQS_is_refused(Trial trial) =>
        (await trial.Topics.Raw.CallAsync(trial.Raw.Endpoint, "sqs", "ListTopics")).ShouldBeRefusedWith("SignatureDoesNotMatch");
}
