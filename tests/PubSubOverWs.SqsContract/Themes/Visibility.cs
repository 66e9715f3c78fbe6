using System.Diagnostics;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.SqsContract;

/// <summary>A received message is hidden from others for as long as its receiver wants.</summary>
internal static class Visibility
{
    private static readonly TimeSpan OneSecond = TimeSpan.FromSeconds(1);

    [Behaviour]
    public static async Task A_received_message_is_hidden_from_others(Trial trial)
    {
        var url = await trial.CreateQueueAsync();
        await trial.Sqs.SendTextsAsync(url, "a");
        await trial.Sqs.ReceiveOneAsync(url);

        Assert.Empty(await trial.Sqs.PollAsync(url, OneSecond));
    }

    [Behaviour]
    public static async Task A_message_is_visible_again_when_its_visibility_time_out_ends_and_wakes_a_poll(Trial trial)
    {
        var url = await trial.CreateQueueAsync();
        await trial.Sqs.SendTextsAsync(url, "a");
        var start = Stopwatch.GetTimestamp();
        await trial.Sqs.ReceiveOneAsync(url, OneSecond);

        Assert.Equal("a", (await trial.Sqs.ReceiveOneAsync(url)).Text());

        Assert.InRange(Stopwatch.GetElapsedTime(start), TimeSpan.FromSeconds(0.9), Steps.Patience);
    }

    [Behaviour]
    public static async Task A_message_is_hidden_for_the_time_out_of_its_queue_if_the_receive_names_none(Trial trial)
    {
        var url = await trial.CreateQueueAsync(new QueueSettings { VisibilityTimeout = OneSecond });
        await trial.Sqs.SendTextsAsync(url, "a");
        await trial.Sqs.ReceiveOneAsync(url);

        Assert.Equal(2, (await trial.Sqs.ReceiveOneAsync(url)).ApproximateReceiveCount);
    }

    [Behaviour]
    public static async Task A_message_received_with_visibility_zero_is_left_to_the_next_receive(Trial trial)
    {
        var url = await trial.CreateQueueAsync();
        await trial.Sqs.SendTextsAsync(url, "a");

        await trial.Sqs.ReceiveOneAsync(url, TimeSpan.Zero);

        Assert.Equal("a", (await trial.Sqs.ReceiveOneAsync(url)).Text());
    }

    [Behaviour]
    public static async Task A_received_message_can_be_hidden_for_longer(Trial trial)
    {
        var url = await trial.CreateQueueAsync();
        await trial.Sqs.SendTextsAsync(url, "a");
        var message = await trial.Sqs.ReceiveOneAsync(url, TimeSpan.FromSeconds(2));

        await trial.Sqs.HideAsync(url, message, TimeSpan.FromMinutes(1));

        Assert.Empty(await trial.Sqs.PollAsync(url, TimeSpan.FromSeconds(3)));
    }

    [Behaviour]
    public static async Task A_received_message_can_be_made_visible_sooner(Trial trial)
    {
        var url = await trial.CreateQueueAsync();
        await trial.Sqs.SendTextsAsync(url, "a");
        var message = await trial.Sqs.ReceiveOneAsync(url, TimeSpan.FromHours(1));

        await trial.Sqs.HideAsync(url, message, OneSecond);

        Assert.Equal("a", (await trial.Sqs.ReceiveOneAsync(url)).Text());
    }

    [Behaviour]
    public static async Task A_received_message_can_be_released_at_once_and_wakes_a_poll(Trial trial)
    {
        var url = await trial.CreateQueueAsync();
        await trial.Sqs.SendTextsAsync(url, "a");
        var message = await trial.Sqs.ReceiveOneAsync(url, TimeSpan.FromHours(1));
        var poll = trial.Sqs.PollAsync(url, Steps.Patience);

        await trial.Sqs.ReleaseAsync(url, message);

        Assert.Equal("a", Assert.Single(await poll).Text());
    }

    [Behaviour]
    public static async Task A_message_that_is_not_in_flight_cannot_be_hidden(Trial trial)
    {
        var url = await trial.CreateQueueAsync();
        await trial.Sqs.SendTextsAsync(url, "a");
        var message = await trial.Sqs.ReceiveOneAsync(url);
        await trial.Sqs.ReleaseAsync(url, message);

        Assert.Equal(SqsErrorCode.MessageNotInflight, await trial.Sqs.TryHideAsync(url, message, OneSecond));
    }

    [Behaviour]
    public static async Task A_deleted_message_cannot_be_hidden(Trial trial)
    {
        var url = await trial.CreateQueueAsync();
        await trial.Sqs.SendTextsAsync(url, "a");
        var message = await trial.Sqs.ReceiveOneAsync(url);
        await trial.Sqs.DeleteAsync(url, message);

        Assert.Contains(
            await trial.Sqs.TryHideAsync(url, message, OneSecond),
            new[] { SqsErrorCode.InvalidParameterValue, SqsErrorCode.MessageNotInflight });
    }

    [Behaviour]
    public static async Task Twelve_hours_are_counted_from_the_receive(Trial trial)
    {
        var url = await trial.CreateQueueAsync();
        await trial.Sqs.SendTextsAsync(url, "a");
        var message = await trial.Sqs.ReceiveOneAsync(url, TimeSpan.FromMinutes(1));
        Assert.Empty(await trial.Sqs.PollAsync(url, OneSecond));

        Assert.Equal(SqsErrorCode.InvalidParameterValue, await trial.Sqs.TryHideAsync(url, message, Steps.LongestVisibility));
        await trial.Sqs.HideAsync(url, message, Steps.LongestVisibility - TimeSpan.FromMinutes(1));
    }

    [Behaviour]
    public static async Task No_more_than_twelve_hours_are_taken(Trial trial)
    {
        var url = await trial.CreateQueueAsync();
        await trial.Sqs.SendTextsAsync(url, "a");
        var message = await trial.Sqs.ReceiveOneAsync(url);

        Assert.Equal(
            SqsErrorCode.InvalidParameterValue, await trial.Sqs.TryHideAsync(url, message, Steps.LongestVisibility + OneSecond));
    }
}
