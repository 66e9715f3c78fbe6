using PubSubOverWs.Sqs;

namespace PubSubOverWs.SqsContract;

/// <summary>Messages that were received too often without a delete go to another queue.</summary>
internal static class DeadLetters
{
    [Behaviour]
    public static async Task A_message_received_too_often_goes_to_the_dead_letters(Trial trial)
    {
        var (url, dead) = await CreateAsync(trial, maxReceiveCount: 2);
        var id = Assert.Single(await trial.Sqs.SendTextsAsync(url, "poison"));
        for (var receive = 0; receive < 2; receive++)
            await trial.Sqs.ReceiveOneAsync(url, TimeSpan.Zero);

        Assert.Empty(await trial.Sqs.PollAsync(url, TimeSpan.FromSeconds(1)));

        var letter = await trial.Sqs.ReceiveOneAsync(dead);
        Assert.Equal(("poison", id), (letter.Text(), letter.MessageId));
    }

    [Behaviour]
    public static async Task A_message_deleted_in_time_does_not_become_a_dead_letter(Trial trial)
    {
        var (url, dead) = await CreateAsync(trial, maxReceiveCount: 1);
        await trial.Sqs.SendTextsAsync(url, "good");
        await trial.Sqs.DeleteAsync(url, await trial.Sqs.ReceiveOneAsync(url));

        Assert.Empty(await trial.Sqs.PollAsync(url));
        Assert.Empty(await trial.Sqs.PollAsync(dead));
    }

    [Behaviour]
    public static async Task A_dead_letter_wakes_a_poll(Trial trial)
    {
        var (url, dead) = await CreateAsync(trial, maxReceiveCount: 1);
        await trial.Sqs.SendTextsAsync(url, "poison");
        await trial.Sqs.ReceiveOneAsync(url, TimeSpan.Zero);
        var poll = trial.Sqs.PollAsync(dead, Steps.Patience);

        Assert.Empty(await trial.Sqs.PollAsync(url, TimeSpan.FromSeconds(1)));

        Assert.Equal("poison", Assert.Single(await poll).Text());
    }

    [Behaviour]
    public static async Task A_redrive_policy_is_returned_as_it_was_set_and_can_be_changed(Trial trial)
    {
        var (url, dead) = await CreateAsync(trial, maxReceiveCount: 3);
        var arn = (await trial.Sqs.GetQueueAttributesAsync(dead, CancellationToken.None)).Arn;

        Assert.Equal(
            new RedrivePolicy(arn, 3), (await trial.Sqs.GetQueueAttributesAsync(url, CancellationToken.None)).Settings.RedrivePolicy);

        var policy = $$"""{"deadLetterTargetArn":"{{arn}}","maxReceiveCount":"4"}""";
        (await trial.Raw.SetAttributesAsync(url, new { RedrivePolicy = policy })).ShouldBeTaken();
        Assert.Equal(
            new RedrivePolicy(arn, 4), (await trial.Sqs.GetQueueAttributesAsync(url, CancellationToken.None)).Settings.RedrivePolicy);
    }

    [Behaviour]
    public static async Task A_dead_letter_queue_that_does_not_exist_is_refused(Trial trial)
    {
        var url = await trial.CreateQueueAsync();
        var arn = (await trial.Sqs.GetQueueAttributesAsync(url, CancellationToken.None)).Arn;
        var settings = new QueueSettings { RedrivePolicy = new RedrivePolicy($"{arn}-not", 1) };

        await Steps.RefusedAsync(SqsErrorCode.InvalidParameterValue, trial.CreateQueueAsync(settings));
    }

    private static async Task<(string Url, string Dead)> CreateAsync(Trial trial, int maxReceiveCount)
    {
        var dead = await trial.CreateQueueAsync();
        var arn = (await trial.Sqs.GetQueueAttributesAsync(dead, CancellationToken.None)).Arn;
        return (await trial.CreateQueueAsync(new QueueSettings { RedrivePolicy = new RedrivePolicy(arn, maxReceiveCount) }), dead);
    }
}
