using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.Queues;
using PubSubOverWs.Sqs;
using PubSubOverWs.Tests.LocalSqs;

namespace PubSubOverWs.Tests.LoadTest.Harness.Targets;

/// <summary>Against LocalSqs, whose clock the test moves.</summary>
public sealed class LeftoversTests : IAsyncLifetime
{
    private const string Old = "pubsuboverws-260304050607abcd-1";
    private const string Young = "pubsuboverws-260304060607abcd-1";

    private readonly LocalSqsHost _host = new();

    private Leftovers Leftovers => new(_host.Sqs, _host.Sns, _host.Time);

    public async Task InitializeAsync()
    {
        await _host.InitializeAsync();
        await CreateAsync("pubsuboverws-production");
        await CreateAsync(Old + "-dead");
        await CreateAsync(Old);
        _host.Time.Advance(TimeSpan.FromHours(1));
        await CreateAsync(Young);
    }

    [Fact]
    public async Task Queues_of_runs_are_found_with_age_and_messages_and_no_other()
    {
        await _host.Sqs.SendAsync(
            await _host.Sqs.GetQueueUrlAsync(Old, CancellationToken.None), [new SendEntry("left"u8.ToArray())], CancellationToken.None);

        var found = await FindAsync();

        Assert.Equal(
            [(Old, TimeSpan.FromHours(1), 1), (Old + "-dead", TimeSpan.FromHours(1), 0), (Young, TimeSpan.Zero, 0)],
            found.Select(one => (one.Name, Seconds(one.Age), one.Messages)));
    }

    [Fact]
    public async Task A_deleted_queue_is_gone_and_deleting_it_again_is_not_a_failure()
    {
        var old = (await FindAsync())[0];
        var leftovers = Leftovers;

        Assert.True(await leftovers.DeleteAsync(old, CancellationToken.None));
        Assert.False(await leftovers.DeleteAsync(old, CancellationToken.None));

        Assert.Equal([Old + "-dead", Young], (await FindAsync()).Select(one => one.Name));
    }

    [Fact]
    public async Task A_queue_that_no_run_named_is_never_deleted()
    {
        var url = await _host.Sqs.GetQueueUrlAsync("pubsuboverws-production", CancellationToken.None);

        await Assert.ThrowsAsync<ArgumentException>(
            () => Leftovers.DeleteAsync(new Leftover(Old, url, TimeSpan.FromDays(1), 0), CancellationToken.None));

        Assert.Equal(url, await _host.Sqs.GetQueueUrlAsync("pubsuboverws-production", CancellationToken.None));
    }

    [Fact]
    public async Task A_topic_goes_with_the_queues_that_it_feeds()
    {
        foreach (var topic in new[] { Young, "pubsuboverws-production" })
            await _host.Sns.CreateTopicAsync(topic, CancellationToken.None);
        await CreateAsync(Young + "-node-abcdef");
        await CreateAsync(Young + "-node-abcdef-control");

        var found = await FindAsync();

        Assert.Equal(
            [(Young, null), (Young + "-node-abcdef", Young), (Young + "-node-abcdef-control", null)],
            found.Where(one => one.Age < TimeSpan.FromMinutes(1))
                .Select(one => (one.Name, one.TopicArn is { } arn ? NodeNames.In(arn) : null)));
        foreach (var one in found)
            Assert.True(await Leftovers.DeleteAsync(one, CancellationToken.None));
        Assert.Equal(["pubsuboverws-production"], (await _host.Sns.ListTopicsAsync("", CancellationToken.None)).Select(NodeNames.In));
        Assert.Empty(await FindAsync());
    }

    [Fact]
    public async Task A_topic_that_no_run_named_is_never_deleted_nor_the_queue_with_it()
    {
        var arn = await _host.Sns.CreateTopicAsync("pubsuboverws-production", CancellationToken.None);
        var old = (await FindAsync())[0];

        await Assert.ThrowsAsync<ArgumentException>(() => Leftovers.DeleteAsync(old with { TopicArn = arn }, CancellationToken.None));

        Assert.Equal([arn], await _host.Sns.ListTopicsAsync("", CancellationToken.None));
        Assert.Contains(Old, (await FindAsync()).Select(one => one.Name));
    }

    public Task DisposeAsync() => _host.DisposeAsync();

    private async Task CreateAsync(string name) => await _host.Sqs.CreateQueueAsync(name, new QueueSettings(), CancellationToken.None);

    private Task<IReadOnlyList<Leftover>> FindAsync() => Leftovers.FindAsync(CancellationToken.None);

    // Queues are stamped to the second.
    private static TimeSpan Seconds(TimeSpan? age) => TimeSpan.FromSeconds((long)age!.Value.TotalSeconds);
}
