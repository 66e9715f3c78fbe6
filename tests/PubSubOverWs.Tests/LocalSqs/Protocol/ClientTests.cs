using System.Text;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.LocalSqs;

/// <summary>Our client against our server: every operation that both have.</summary>
public sealed class ClientTests(LocalSqsHost host) : IClassFixture<LocalSqsHost>, IAsyncLifetime
{
    public async Task InitializeAsync()
    {
        host.Time.Advance(TimeSpan.FromMinutes(1));
        await host.PurgeAsync();
    }

    public Task DisposeAsync() => Task.CompletedTask;

    [Theory]
    [InlineData("plain")]
    [InlineData("""{"v":1,"m":[{"id":"a\\b","body":"\"x\""}]}""")]
    [InlineData("tab\t newline\r\n é 漢 😀 <>&'+ \u007F \uE000 \uFFFD")]
    public async Task A_text_comes_back_as_it_was_sent(string text)
    {
        var sent = await host.SendAsync(text);

        var received = Assert.Single(await host.ReceiveAsync());
        Assert.Equal(text, Encoding.UTF8.GetString(received.Body.Span));
        Assert.Equal(sent.MessageId, received.MessageId);
        Assert.Equal(1, received.ApproximateReceiveCount);
        Assert.Equal(0, host.Sqs.Traffic.Corrupted);
    }

    [Fact]
    public async Task A_body_of_one_MiB_is_taken_and_one_byte_more_is_not()
    {
        Assert.True((await host.SendAsync(new string('x', SqsLimits.MaxMessageBytes))).Succeeded);
        Assert.Equal(SqsLimits.MaxMessageBytes, Assert.Single(await host.ReceiveAsync()).Body.Length);

        var refused = await Assert.ThrowsAsync<SqsException>(() => host.SendAsync(new string('x', SqsLimits.MaxMessageBytes + 1)));
        Assert.Equal(SqsErrorCode.BatchRequestTooLong, refused.Code);
    }

    [Theory]
    [InlineData("\u0000")]
    [InlineData("bell \u0007")]
    [InlineData("\uFFFE")]
    [InlineData("\uFFFF")]
    public async Task Characters_that_SQS_does_not_take_are_refused_alone(string text)
    {
        var results = await host.Sqs.SendMessageBatchAsync(
            host.Url, [new SendEntry("good"u8.ToArray()), new SendEntry(Encoding.UTF8.GetBytes(text))], CancellationToken.None);

        Assert.True(results[0].Succeeded);
        Assert.Equal(SqsErrorCode.InvalidMessageContents, results[1].Failure?.Code);
        Assert.True(results[1].Failure?.SenderFault);
    }

    [Fact]
    public async Task Settings_and_counts_can_be_read()
    {
        var dead = await host.Sqs.CreateQueueAsync("settings-dead", new QueueSettings(), CancellationToken.None);
        var arn = (await host.Sqs.GetQueueAttributesAsync(dead, CancellationToken.None)).Arn;
        var settings = new QueueSettings
        {
            VisibilityTimeout = TimeSpan.FromSeconds(5),
            MessageRetention = TimeSpan.FromHours(1),
            Delay = TimeSpan.FromSeconds(1),
            ReceiveWaitTime = TimeSpan.FromSeconds(2),
            MaximumMessageSize = 2048,
            RedrivePolicy = new RedrivePolicy(arn, 7),
        };

        var url = await host.Sqs.CreateQueueAsync("settings", settings, CancellationToken.None);

        var attributes = await host.Sqs.GetQueueAttributesAsync(url, CancellationToken.None);
        Assert.Equal(settings, attributes.Settings);
        Assert.Equal("arn:aws:sqs:us-east-1:000000000000:settings", attributes.Arn);
        Assert.True(attributes.IsEmpty);
        Assert.Equal(url, await host.Sqs.GetQueueUrlAsync("settings", CancellationToken.None));
    }

    [Fact]
    public async Task Counts_tell_visible_in_flight_and_delayed_apart()
    {
        await host.SendAsync("one");
        await host.ReceiveAsync();
        await host.SendAsync("two");
        await host.SendAsync("three");
        await host.SendAsync("later", TimeSpan.FromSeconds(9));

        var attributes = await host.Sqs.GetQueueAttributesAsync(host.Url, CancellationToken.None);

        Assert.Equal((2, 1, 1), (attributes.Visible, attributes.InFlight, attributes.Delayed));
        Assert.False(attributes.IsEmpty);
    }

    [Fact]
    public async Task Messages_are_deleted_in_batches_and_other_handles_refused_alone()
    {
        await host.SendAsync("a");
        var handle = (await host.ReceiveAsync())[0].ReceiptHandle;

        var results = await host.Sqs.DeleteMessageBatchAsync(host.Url, [handle, "nonsense", handle], CancellationToken.None);

        Assert.Equal([null, SqsErrorCode.ReceiptHandleIsInvalid, null], results.Select(result => result.Failure?.Code));
        Assert.True((await host.Sqs.GetQueueAttributesAsync(host.Url, CancellationToken.None)).IsEmpty);
    }

    [Fact]
    public async Task A_handle_of_another_queue_is_refused()
    {
        var other = await host.Sqs.CreateQueueAsync("other", new QueueSettings(), CancellationToken.None);
        await host.SendAsync("a");
        var handle = (await host.ReceiveAsync())[0].ReceiptHandle;

        var results = await host.Sqs.DeleteMessageBatchAsync(other, [handle], CancellationToken.None);

        Assert.Equal(SqsErrorCode.ReceiptHandleIsInvalid, results[0].Failure?.Code);
    }

    [Fact]
    public async Task Visibility_is_changed_in_batches()
    {
        await host.SendAsync("now");
        await host.SendAsync("later");
        var received = await host.ReceiveAsync();

        var results = await host.Sqs.ChangeMessageVisibilityBatchAsync(
            host.Url,
            [new(received[0].ReceiptHandle, TimeSpan.Zero), new(received[1].ReceiptHandle, TimeSpan.FromHours(12)),
                new(received[1].ReceiptHandle, TimeSpan.FromHours(13))],
            CancellationToken.None);

        Assert.Equal([null, null, SqsErrorCode.InvalidParameterValue], results.Select(result => result.Failure?.Code));
        Assert.Equal("now", Encoding.UTF8.GetString(Assert.Single(await host.ReceiveAsync()).Body.Span));
        var stale = await host.Sqs.ChangeMessageVisibilityBatchAsync(
            host.Url, [new(received[0].ReceiptHandle, TimeSpan.Zero)], CancellationToken.None);
        Assert.Equal(SqsErrorCode.MessageNotInflight, stale[0].Failure?.Code);
    }

    [Fact]
    public async Task A_long_poll_is_woken_by_a_send()
    {
        var poll = host.ReceiveAsync(TimeSpan.FromSeconds(20));

        await host.SendAsync("a");

        Assert.Single(await poll);
    }

    [Fact]
    public async Task Queues_are_listed_and_deleted()
    {
        var url = await host.Sqs.CreateQueueAsync("listed-1", new QueueSettings(), CancellationToken.None);

        Assert.Equal([url], await host.Sqs.ListQueuesAsync("listed-", CancellationToken.None));
        await host.Sqs.DeleteQueueAsync(url, CancellationToken.None);

        Assert.Empty(await host.Sqs.ListQueuesAsync("listed-", CancellationToken.None));
        var gone = await Assert.ThrowsAsync<SqsException>(() => host.ReceiveAsync(from: url));
        Assert.Equal(SqsErrorCode.QueueDoesNotExist, gone.Code);
        var recently = await Assert.ThrowsAsync<SqsException>(
            () => host.Sqs.CreateQueueAsync("listed-1", new QueueSettings(), CancellationToken.None).AsTask());
        Assert.Equal(SqsErrorCode.QueueDeletedRecently, recently.Code);
    }

    [Fact]
    public async Task A_purge_empties_the_queue()
    {
        host.Time.Advance(TimeSpan.FromMinutes(1));
        await host.SendAsync("a");
        await host.PurgeAsync();

        Assert.Empty(await host.ReceiveAsync());
    }

    [Fact]
    public async Task Calls_are_counted_by_kind()
    {
        var traffic = host.Sqs.Traffic;
        long[] before = [.. Enum.GetValues<SqsCall>().Select(traffic.Calls)];

        await host.SendAsync("a");
        var received = await host.ReceiveAsync();
        await host.Sqs.ChangeMessageVisibilityBatchAsync(
            host.Url, [new(received[0].ReceiptHandle, TimeSpan.FromMinutes(1))], CancellationToken.None);
        await host.Sqs.DeleteMessageBatchAsync(host.Url, [received[0].ReceiptHandle], CancellationToken.None);
        await host.Sqs.GetQueueAttributesAsync(host.Url, CancellationToken.None);

        Assert.All(Enum.GetValues<SqsCall>(), kind => Assert.Equal(before[(int)kind] + 1, traffic.Calls(kind)));
        Assert.All(Enum.GetValues<SqsCall>(), kind => Assert.NotEqual(0, traffic.BytesOut(kind)));
    }

    [Fact]
    public async Task A_message_received_too_often_goes_to_the_dead_letters()
    {
        var sqs = host.Sqs;
        var dead = await sqs.CreateQueueAsync("redriven-dead", new QueueSettings(), CancellationToken.None);
        var arn = (await sqs.GetQueueAttributesAsync(dead, CancellationToken.None)).Arn;
        var url = await sqs.CreateQueueAsync(
            "redriven", new QueueSettings { RedrivePolicy = new RedrivePolicy(arn, 1) }, CancellationToken.None);
        await sqs.SendMessageBatchAsync(url, [new SendEntry("poison"u8.ToArray())], CancellationToken.None);

        Assert.Single(await host.ReceiveAsync(from: url, visibility: TimeSpan.FromSeconds(1)));
        host.Time.Advance(TimeSpan.FromSeconds(1));
        Assert.Empty(await host.ReceiveAsync(from: url));

        Assert.Equal(2, Assert.Single(await host.ReceiveAsync(from: dead)).ApproximateReceiveCount);
    }
}
