using System.Diagnostics;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.SqsContract;

/// <summary>A new message can be held back at first.</summary>
internal static class Delays
{
    private static readonly TimeSpan OneSecond = TimeSpan.FromSeconds(1);

    [Behaviour]
    public static async Task A_delayed_message_comes_after_its_delay_and_wakes_a_poll(Trial trial)
    {
        var url = await trial.CreateQueueAsync();
        var start = Stopwatch.GetTimestamp();
        await trial.Sqs.SendAllAsync(url, Steps.Entry("later") with { Delay = OneSecond });

        Assert.Equal("later", (await trial.Sqs.ReceiveOneAsync(url)).Text());

        Assert.InRange(Stopwatch.GetElapsedTime(start), TimeSpan.FromSeconds(0.9), Steps.Patience);
    }

    [Behaviour]
    public static async Task A_delayed_message_is_not_received_before(Trial trial)
    {
        var url = await trial.CreateQueueAsync();
        await trial.Sqs.SendAllAsync(url, Steps.Entry("later") with { Delay = TimeSpan.FromMinutes(1) });

        Assert.Empty(await trial.Sqs.PollAsync(url, OneSecond));
    }

    [Behaviour]
    public static async Task A_message_is_delayed_as_its_queue_says_when_it_does_not_say_itself(Trial trial)
    {
        var url = await trial.CreateQueueAsync(new QueueSettings { Delay = TimeSpan.FromMinutes(1) });

        await trial.Sqs.SendAllAsync(url, Steps.Entry("later"), Steps.Entry("now") with { Delay = TimeSpan.Zero });

        Assert.Equal("now", (await trial.Sqs.ReceiveOneAsync(url)).Text());
        Assert.Empty(await trial.Sqs.PollAsync(url, OneSecond));
    }

    [Behaviour]
    public static async Task No_more_than_fifteen_minutes_are_taken(Trial trial)
    {
        var url = await trial.CreateQueueAsync();

        (await trial.Raw.CallAsync("SendMessage", new { QueueUrl = url, MessageBody = "a", DelaySeconds = 901 }))
            .ShouldBeRefusedWith(SqsErrorCode.InvalidParameterValue);
    }
}
