using System.Reflection;
using PubSubOverWs.Queues;

namespace PubSubOverWs.EndToEndTests.Queues;

/// <summary>What a pubsub server relies on, of any queue: a sentence each, tried on the queue itself.</summary>
internal static class QueueBehaviours
{
    /// <summary>A difference of queues in memory.</summary>
    public const string Restart = nameof(A_message_that_was_taken_outlives_the_process_of_the_queue);

    // Long enough that what was not received yet is not what is hidden.
    private static readonly TimeSpan Visibility = TimeSpan.FromSeconds(3);

    private static readonly TimeSpan Minute = TimeSpan.FromMinutes(1);

    private static readonly Dictionary<string, Func<QueueTrial, Task>> All = typeof(QueueBehaviours)
        .GetMethods(BindingFlags.Static | BindingFlags.Public | BindingFlags.DeclaredOnly)
        .Where(method => method.GetParameters() is [{ ParameterType: var only }] && only == typeof(QueueTrial))
        .ToDictionary(method => method.Name, method => method.CreateDelegate<Func<QueueTrial, Task>>());

    /// <summary>The names of all, but for those that are differences of a queue.</summary>
    public static TheoryData<string> NamesBut(params string[] differences) => [.. All.Keys.Except(differences)];

    public static async Task TryAsync(string name, IQueueServer server)
    {
        await using var trial = new QueueTrial(server);
        await All[name](trial);
    }

    public static async Task A_queue_that_exists_is_found_with_what_is_in_it(QueueTrial trial)
    {
        var queue = trial.Connect();
        var urls = await trial.OpenAsync(queue);
        await queue.SendTextsAsync(urls.Url, "a");

        var other = trial.Connect();
        Assert.Equal(urls, await other.OpenAsync(urls.Name, CancellationToken.None));
        Assert.Equal(1, await other.CountAsync(urls.Url, CancellationToken.None));
    }

    public static async Task A_message_comes_as_it_was_sent_with_characters_of_every_plane(QueueTrial trial)
    {
        var queue = trial.Connect();
        var urls = await trial.OpenAsync(queue);
        var text = string.Concat(
            Enumerable.Range(0, 0x110000).Where(IsTaken).Where(one => one < 0x3000 || one % 97 == 0).Select(char.ConvertFromUtf32));

        await queue.SendTextsAsync(urls.Url, text);

        Assert.Equal(text, (await queue.ReceiveOneAsync(urls.Url)).Text());
    }

    public static async Task A_message_of_one_MiB_passes(QueueTrial trial)
    {
        var queue = trial.Connect();
        var urls = await trial.OpenAsync(queue);
        var text = new string('x', QueueLimits.MaxMessageBytes);

        await queue.SendTextsAsync(urls.Url, text);

        Assert.Equal(text, (await queue.ReceiveOneAsync(urls.Url)).Text());
    }

    public static async Task The_results_of_a_batch_are_in_its_order_and_their_ids_come_with_the_messages(QueueTrial trial)
    {
        var queue = trial.Connect();
        var urls = await trial.OpenAsync(queue);
        string[] texts = [.. Enumerable.Range(0, QueueLimits.MaxBatchEntries).Select(i => $"message {i}")];

        var ids = await queue.SendTextsAsync(urls.Url, texts);

        var received = await queue.ReceiveAllAsync(urls.Url, texts.Length);
        Assert.Equal(ids.Zip(texts).Order(), received.Select(message => (message.MessageId, message.Text())).Order());
    }

    public static async Task A_settled_message_does_not_come_again_and_is_not_counted(QueueTrial trial)
    {
        var queue = trial.Connect();
        var urls = await trial.OpenAsync(queue);
        await queue.SendTextsAsync(urls.Url, "a");

        await queue.SettleAsync(urls.Url, await queue.ReceiveOneAsync(urls.Url, Visibility));

        Assert.Empty(await queue.PollAsync(urls.Url, Visibility + TimeSpan.FromSeconds(2)));
        Assert.Equal(0, await queue.CountAsync(urls.Url, CancellationToken.None));
    }

    public static async Task A_message_that_is_settled_twice_is_no_error(QueueTrial trial)
    {
        var queue = trial.Connect();
        var urls = await trial.OpenAsync(queue);
        await queue.SendTextsAsync(urls.Url, "a");
        var message = await queue.ReceiveOneAsync(urls.Url);
        await queue.SettleAsync(urls.Url, message);

        await queue.SettleAsync(urls.Url, message);
    }

    public static async Task Exactly_the_unsettled_come_again_and_say_so(QueueTrial trial)
    {
        var queue = trial.Connect();
        var urls = await trial.OpenAsync(queue);
        await queue.SendTextsAsync(urls.Url, "settled", "unsettled", "settled too");
        var received = await queue.ReceiveAllAsync(urls.Url, 3, Visibility);
        Assert.All(received, message => Assert.Equal(1, message.ApproximateReceiveCount));

        await queue.SettleAsync(urls.Url, [.. received.Where(message => message.Text() != "unsettled")]);

        var again = await queue.ReceiveOneAsync(urls.Url);
        Assert.Equal(("unsettled", 2), (again.Text(), again.ApproximateReceiveCount));
        Assert.Empty(await queue.PollAsync(urls.Url, TimeSpan.FromSeconds(1)));
    }

    public static async Task What_a_client_had_that_is_gone_comes_to_another(QueueTrial trial)
    {
        var gone = trial.Connect();
        var urls = await trial.OpenAsync(gone);
        await gone.SendTextsAsync(urls.Url, "a");
        await gone.ReceiveOneAsync(urls.Url, Visibility);
        await trial.EndAsync(gone);

        var other = trial.Connect();
        await other.OpenAsync(urls.Name, CancellationToken.None);

        Assert.Equal("a", (await other.ReceiveOneAsync(urls.Url, Visibility)).Text());
    }

    public static async Task A_message_that_is_held_does_not_come_to_another(QueueTrial trial)
    {
        var queue = trial.Connect();
        var urls = await trial.OpenAsync(queue);
        await queue.SendTextsAsync(urls.Url, "a");
        var message = await queue.ReceiveOneAsync(urls.Url, Visibility);

        await queue.HoldAsync(urls.Url, message, Visibility);
        var other = trial.Connect();
        await other.OpenAsync(urls.Name, CancellationToken.None);
        Assert.Empty(await other.PollAsync(urls.Url, Visibility - TimeSpan.FromSeconds(1), Visibility));
        await queue.HoldAsync(urls.Url, message, Visibility);

        Assert.Empty(await other.PollAsync(urls.Url, Visibility - TimeSpan.FromSeconds(1), Visibility));
    }

    public static async Task A_message_that_is_given_back_comes_to_another_at_once(QueueTrial trial)
    {
        var queue = trial.Connect();
        var urls = await trial.OpenAsync(queue);
        await queue.SendTextsAsync(urls.Url, "a");
        var message = await queue.ReceiveOneAsync(urls.Url, Minute);
        var other = trial.Connect();
        await other.OpenAsync(urls.Name, CancellationToken.None);
        var poll = other.PollAsync(urls.Url, QueueSteps.Patience, Minute);

        await queue.HoldAsync(urls.Url, message, TimeSpan.Zero);

        Assert.Equal("a", Assert.Single(await poll).Text());
    }

    public static async Task A_message_that_is_given_back_for_later_comes_then_and_not_before(QueueTrial trial)
    {
        var queue = trial.Connect();
        var urls = await trial.OpenAsync(queue);
        await queue.SendTextsAsync(urls.Url, "a");
        var message = await queue.ReceiveOneAsync(urls.Url, Minute);

        await queue.HoldAsync(urls.Url, message, Visibility);

        Assert.Empty(await queue.PollAsync(urls.Url, Visibility - TimeSpan.FromSeconds(1), Minute));
        Assert.Equal("a", (await queue.ReceiveOneAsync(urls.Url, Minute)).Text());
    }

    public static async Task A_message_that_is_sent_for_later_comes_then_and_not_before(QueueTrial trial)
    {
        var queue = trial.Connect();
        var urls = await trial.OpenAsync(queue);

        await queue.SendAllAsync(urls.Url, new SendEntry("a"u8.ToArray(), Visibility));

        Assert.Empty(await queue.PollAsync(urls.Url, Visibility - TimeSpan.FromSeconds(1), Minute));
        Assert.Equal("a", (await queue.ReceiveOneAsync(urls.Url, Minute)).Text());
    }

    public static async Task A_message_for_later_is_not_called_delivered_before(QueueTrial trial)
    {
        var queue = trial.Connect();
        var urls = await trial.OpenAsync(queue);
        await queue.SendAllAsync(urls.Url, new SendEntry("a"u8.ToArray(), TimeSpan.FromSeconds(1)));

        Assert.Equal(1, (await queue.ReceiveOneAsync(urls.Url)).ApproximateReceiveCount);
    }

    public static async Task Messages_are_counted_until_they_are_settled(QueueTrial trial)
    {
        var queue = trial.Connect();
        var urls = await trial.OpenAsync(queue);
        await queue.SendTextsAsync(urls.Url, "a", "b", "c");
        await queue.ReceiveOneAsync(urls.Url, Minute);
        await queue.SendAllAsync(urls.Url, new SendEntry("later"u8.ToArray(), Minute));

        Assert.Equal(4, await queue.CountAsync(urls.Url, CancellationToken.None));
        Assert.Equal(0, await queue.CountAsync(urls.ParkedUrl, CancellationToken.None));
    }

    public static async Task The_queues_of_one_name_are_three(QueueTrial trial)
    {
        var queue = trial.Connect();
        var urls = await trial.OpenAsync(queue);

        await queue.SendTextsAsync(urls.Url, "own");
        await queue.SendTextsAsync(urls.DeadLetterUrl, "dead");
        await queue.SendTextsAsync(urls.ParkedUrl, "parked");

        Assert.Equal("own", (await queue.ReceiveOneAsync(urls.Url)).Text());
        Assert.Equal("parked", (await queue.ReceiveOneAsync(urls.ParkedUrl)).Text());
        Assert.Equal(1, await queue.CountAsync(urls.DeadLetterUrl, CancellationToken.None));
    }

    public static async Task A_thousand_unsettled_messages_stop_nobody(QueueTrial trial)
    {
        const int Many = 1_000;
        var queue = trial.Connect();
        var urls = await trial.OpenAsync(queue);
        foreach (var ten in Enumerable.Range(0, Many).Select(i => $"message {i}").Chunk(QueueLimits.MaxBatchEntries))
            await queue.SendTextsAsync(urls.Url, ten);
        await queue.ReceiveAllAsync(urls.Url, Many, Minute);

        await queue.SendTextsAsync(urls.Url, "one more");

        Assert.Equal("one more", (await queue.ReceiveOneAsync(urls.Url, Minute)).Text());
    }

    public static async Task Many_consumers_get_every_message_and_settle_each_once(QueueTrial trial)
    {
        const int Many = 400;
        var queue = trial.Connect();
        var urls = await trial.OpenAsync(queue);
        await Task.WhenAll(Enumerable.Range(0, Many).Select(i => $"message {i}").Chunk(QueueLimits.MaxBatchEntries)
            .Select(ten => queue.SendTextsAsync(urls.Url, ten)));

        var received = await Task.WhenAll(Enumerable.Range(0, 8).Select(_ => ConsumeAsync()));

        Assert.Equal(
            Enumerable.Range(0, Many).Select(i => $"message {i}").Order(StringComparer.Ordinal),
            received.SelectMany(texts => texts).Order(StringComparer.Ordinal));
        Assert.Equal(0, await queue.CountAsync(urls.Url, CancellationToken.None));

        async Task<List<string>> ConsumeAsync()
        {
            var texts = new List<string>();
            while (await queue.PollAsync(urls.Url, TimeSpan.FromSeconds(1), Minute) is { Count: > 0 } messages)
            {
                texts.AddRange(messages.Select(message => message.Text()));
                await queue.SettleAsync(urls.Url, [.. messages]);
            }
            return texts;
        }
    }

    public static async Task A_message_that_was_taken_outlives_the_process_of_the_queue(QueueTrial trial)
    {
        var queue = trial.Connect();
        var urls = await trial.OpenAsync(queue);
        await queue.SendTextsAsync(urls.Url, "a", "b");
        Assert.Single(await queue.PollAsync(urls.Url, QueueSteps.Patience, Visibility, most: 1));

        await trial.RestartAsync();

        var other = trial.Connect();
        await other.OpenAsync(urls.Name, CancellationToken.None);
        var received = await other.ReceiveAllAsync(urls.Url, 2, Visibility);
        Assert.Equal(["a", "b"], received.Select(message => message.Text()).Order(StringComparer.Ordinal));
    }

    public static async Task Calls_whose_connection_breaks_fail_with_a_sentence_and_work_again_later(QueueTrial trial)
    {
        await trial.StandBetweenAsync();
        var queue = trial.Connect();
        var urls = await trial.OpenAsync(queue);
        await queue.SendTextsAsync(urls.Url, "a", "b");
        var message = await queue.ReceiveOneAsync(urls.Url, Minute);

        await trial.BreakAsync();
        await FailsAsync(queue.SendAsync(urls.Url, [new SendEntry("c"u8.ToArray())], CancellationToken.None));
        await FailsAsync(queue.SettleAsync(urls.Url, [message.ReceiptHandle], CancellationToken.None));
        await FailsAsync(queue.HoldAsync(urls.Url, [new HoldEntry(message.ReceiptHandle, Minute)], CancellationToken.None));
        await FailsAsync(queue.CountAsync(urls.Url, CancellationToken.None));
        await FailsAsync(queue.ReceiveAsync(urls.Url, new ReceiveRequest { WaitTime = TimeSpan.Zero }, CancellationToken.None));
        await trial.MendAsync();

        await QueueSteps.EventuallyAsync(() => queue.SendTextsAsync(urls.Url, "d"));
        await QueueSteps.EventuallyAsync(async () =>
        {
            var texts = (await queue.PollAsync(urls.Url, QueueSteps.Patience, Minute)).Select(one => one.Text()).ToHashSet();
            Assert.Subset(new HashSet<string>(["a", "b", "c", "d"]), texts);
            Assert.NotEmpty(texts);
        });
    }

    private static async Task FailsAsync<T>(ValueTask<T> call)
    {
        var failure = await Assert.ThrowsAsync<QueueException>(async () => await call);
        Assert.True(failure.IsRetryable, failure.Message);
        Assert.EndsWith(".", failure.Message, StringComparison.Ordinal);
    }

    // What XML has, as SQS asks for: neither surrogates nor most control characters.
    private static bool IsTaken(int character) => character is 0x9 or 0xA or 0xD or (>= 0x20 and <= 0xD7FF) or (>= 0xE000 and <= 0xFFFD)
        or >= 0x10000;
}
