using System.Diagnostics;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.SqsContract;

/// <summary>A receive waits for messages up to its wait time, and no longer than necessary.</summary>
internal static class LongPolls
{
    private const int Rounds = 5;

    [Behaviour]
    public static async Task A_poll_is_woken_by_a_send(Trial trial)
    {
        var url = await trial.CreateQueueAsync();
        for (var round = 0; round < Rounds; round++)
        {
            var poll = trial.Sqs.PollAsync(url, Steps.Patience);
            await GiveTimeToArriveAsync(trial, url);
            await trial.Sqs.SendTextsAsync(url, $"{round}");

            Assert.Equal($"{round}", Assert.Single(await poll).Text());
        }
    }

    [Behaviour]
    public static async Task A_poll_that_gets_nothing_ends_empty_when_its_time_is_over(Trial trial)
    {
        var url = await trial.CreateQueueAsync();
        var start = Stopwatch.GetTimestamp();

        Assert.Empty(await trial.Sqs.PollAsync(url, TimeSpan.FromSeconds(1)));

        Assert.InRange(Stopwatch.GetElapsedTime(start), TimeSpan.FromSeconds(0.9), TimeSpan.FromSeconds(15));
    }

    [Behaviour]
    public static async Task A_receive_waits_as_long_as_its_queue_says_when_it_does_not_say_itself(Trial trial)
    {
        var url = await trial.CreateQueueAsync(new QueueSettings { ReceiveWaitTime = Steps.Patience });
        var poll = trial.Raw.CallAsync("ReceiveMessage", new { QueueUrl = url });
        await GiveTimeToArriveAsync(trial, url);

        await trial.Sqs.SendTextsAsync(url, "a");

        Assert.Equal("a", (await poll).Json.GetProperty("Messages")[0].GetProperty("Body").GetString());
    }

    [Behaviour]
    public static async Task A_receive_that_says_so_does_not_wait_whatever_its_queue_says(Trial trial)
    {
        var url = await trial.CreateQueueAsync(new QueueSettings { ReceiveWaitTime = Steps.Patience });
        var start = Stopwatch.GetTimestamp();

        Assert.Empty(await trial.Sqs.PollAsync(url));

        Assert.InRange(Stopwatch.GetElapsedTime(start), TimeSpan.Zero, TimeSpan.FromSeconds(15));
    }

    [Behaviour]
    public static async Task One_message_wakes_one_poll_and_the_others_wait_on(Trial trial)
    {
        var url = await trial.CreateQueueAsync();
        for (var round = 0; round < Rounds; round++)
        {
            var waiting = Enumerable.Range(0, 3).Select(_ => trial.Sqs.PollAsync(url, Steps.Patience)).ToList();
            await GiveTimeToArriveAsync(trial, url);
            while (waiting.Count > 0)
            {
                await trial.Sqs.SendTextsAsync(url, "a");
                var woken = await Task.WhenAny(waiting);
                waiting.Remove(woken);
                Assert.Single(await woken);
            }
        }
    }

    [Behaviour]
    public static async Task A_poll_that_was_cut_off_takes_no_message_with_it(Trial trial)
    {
        var url = await trial.CreateQueueAsync(new QueueSettings { VisibilityTimeout = TimeSpan.FromSeconds(1) });
        for (var round = 0; round < Rounds; round++)
        {
            using var cut = new CancellationTokenSource();
            var poll = trial.Raw.CallAsync("ReceiveMessage", new { QueueUrl = url, WaitTimeSeconds = 20 }, cut.Token);
            await GiveTimeToArriveAsync(trial, url);
            await cut.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => poll);
            await GiveTimeToArriveAsync(trial, url);
            await trial.Sqs.SendTextsAsync(url, "still here");

            var message = await trial.Sqs.ReceiveOneAsync(url, TimeSpan.FromMinutes(1));
            // Messages that the poll had taken would come again after a second, but not as if for the first time.
            Assert.Equal(1, message.ApproximateReceiveCount);
        }
    }

    /// <summary>The answers to calls made after it show that a poll, or its end, has had time to arrive.</summary>
    private static async Task GiveTimeToArriveAsync(Trial trial, string url)
    {
        for (var call = 0; call < 3; call++)
            await trial.Sqs.GetQueueAttributesAsync(url, CancellationToken.None);
    }
}
