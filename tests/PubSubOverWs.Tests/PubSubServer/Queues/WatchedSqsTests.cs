using Microsoft.Extensions.Logging.Abstractions;
using PubSubOverWs.PubSubServer;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.PubSubServer;

public sealed class WatchedSqsTests : IAsyncLifetime
{
    private readonly FakeTime _time = new();
    private readonly FakeSqs _sqs;
    private readonly QueueHealth _health;
    private readonly WatchedSqs _watched;

    public WatchedSqsTests()
    {
        _sqs = new FakeSqs(_time);
        _health = new QueueHealth(_time, NullLogger.Instance);
        _watched = new WatchedSqs(_sqs, _health);
    }

    public async Task InitializeAsync() => await _watched.CreateQueueAsync("q", new QueueSettings(), CancellationToken.None);

    public Task DisposeAsync() => Task.CompletedTask;

    [Fact]
    public async Task A_call_that_fails_is_trouble_and_fails_for_its_caller_too()
    {
        _sqs.Fault = _ => FakeSqs.Away;
        await Assert.ThrowsAsync<SqsException>(SendAsync);
        Assert.Equal("The queue is away.", _health.Trouble);

        _sqs.Fault = _ => null;
        await SendAsync();

        Assert.Null(_health.Trouble);
    }

    [Fact]
    public async Task Entries_that_failed_on_the_queues_side_are_trouble()
    {
        _sqs.EntryFault = _ => new EntryFailure("InternalError", "Try again.", SenderFault: false);
        await SendAsync();

        Assert.Equal(
            "The queue http://queue/q failed 1 of 1 entries of a Send batch with InternalError (Try again) until the retries were used up: "
            + "the fault is on its side, so check its state, or wait.",
            _health.Trouble);
    }

    [Fact]
    public async Task An_entry_that_is_refused_for_its_content_is_not_trouble()
    {
        _sqs.EntryFault = _ => new EntryFailure("InvalidMessageContents", "It is invalid.", SenderFault: true);

        Assert.False(Assert.Single(await SendAsync()).Succeeded);

        Assert.Null(_health.Trouble);
    }

    [Fact]
    public async Task A_caller_that_gives_up_during_retries_leaves_the_reason_for_them_as_trouble()
    {
        _sqs.Fault = _ => throw new OperationCanceledException("lapsed", FakeSqs.Away);

        await Assert.ThrowsAsync<OperationCanceledException>(SendAsync);

        Assert.Equal("The queue is away.", _health.Trouble);
    }

    private Task<IReadOnlyList<EntryResult>> SendAsync() =>
        _watched.SendMessageBatchAsync(FakeSqs.UrlOf("q"), [new SendEntry("a"u8.ToArray())], CancellationToken.None).AsTask();
}
