using Microsoft.Extensions.Logging;
using PubSubOverWs.PubSubServer;
using PubSubOverWs.Queues;
using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.PubSubServer;

public sealed class QueueHealthTests
{
    private const string Url = "http://queue/q";

    private readonly FakeTime _time = new();
    private readonly KeptLog _log = new();
    private readonly QueueHealth _health;
    private readonly FakeSqs _sqs;
    private readonly WatchedQueue _watched;

    public QueueHealthTests()
    {
        _health = new QueueHealth(_time, _log);
        _sqs = new FakeSqs(_time).With("q");
        _watched = new WatchedQueue(_sqs, _health);
    }

    [Fact]
    public void A_call_that_fails_is_trouble_until_one_of_its_kind_succeeds()
    {
        _health.Failed(Url, QueueCall.Send, "AccessDenied", "You may not send.");
        _health.Succeeded(Url, QueueCall.Receive);
        Assert.Equal("You may not send.", _health.Trouble);

        _health.Succeeded(Url, QueueCall.Send);

        Assert.Null(_health.Trouble);
    }

    [Fact]
    public void A_failure_is_forgotten_after_10_s_without_another_call()
    {
        _health.Failed(Url, QueueCall.Send, "AccessDenied", "You may not send.");
        _time.Advance(TimeSpan.FromSeconds(9.9));
        Assert.NotNull(_health.Trouble);

        _time.Advance(TimeSpan.FromSeconds(0.1));

        Assert.Null(_health.Trouble);
    }

    [Fact]
    public void All_failures_are_counted_by_their_code_whether_or_not_calls_succeed_again()
    {
        _health.Failed(Url, QueueCall.Send, "AccessDenied", "You may not send.");
        _health.Failed(Url, QueueCall.Receive, "AccessDenied", "You may not receive.");
        _health.Failed(Url, QueueCall.Receive, "TimedOut", "No answer.");
        _health.Succeeded(Url, QueueCall.Send);
        _health.Succeeded(Url, QueueCall.Receive);

        Assert.Equal(
            [("AccessDenied", new FailedCalls(2, "You may not receive.")), ("TimedOut", new FailedCalls(1, "No answer."))],
            _health.Failures.OrderBy(one => one.Key).Select(one => (one.Key, one.Value)));
    }

    [Fact]
    public void What_answers_in_place_of_a_queue_cannot_make_the_counts_grow_without_bound()
    {
        for (var code = 0; code < 1000; code++)
            _health.Failed(Url, QueueCall.Send, $"Code{code}", "No.");

        Assert.Equal(100, _health.Failures.Count);
    }

    [Fact]
    public void The_latest_of_several_failures_is_reported()
    {
        _health.Failed(Url, QueueCall.Send, "AccessDenied", "You may not send.");
        _time.Advance(TimeSpan.FromSeconds(1));
        _health.Failed(Url, QueueCall.Receive, "QueueDoesNotExist", "There is no queue.");

        Assert.Equal("There is no queue.", _health.Trouble);
    }

    [Fact]
    public void A_failure_is_logged_once_and_once_when_it_is_over()
    {
        for (var second = 0; second < 5; second++)
        {
            _health.Failed(Url, QueueCall.Receive, "InvalidSignatureException", $"The clock is {second} s off.");
            _time.Advance(TimeSpan.FromSeconds(1));
        }
        _health.Succeeded(Url, QueueCall.Receive);
        _health.Succeeded(Url, QueueCall.Receive);

        Assert.Equal(
            ["The clock is 0 s off. This is not logged again until it works again.",
                "Receive calls to http://queue/q work again, 5 s after the first that failed."],
            _log.Lines);
    }

    [Fact]
    public void A_different_failure_of_the_same_kind_of_call_is_logged_again()
    {
        _health.Failed(Url, QueueCall.Send, "Unreachable", "It is away.");
        _health.Failed(Url, QueueCall.Send, "QueueDoesNotExist", "It is gone.");

        Assert.Equal(2, _log.Lines.Count);
    }

    [Fact]
    public async Task Queues_that_are_missing_are_created_with_a_dead_letter_queue()
    {
        var sqs = new FakeSqs(_time);
        var urls = await WorkQueues.OpenAsync(sqs, "q", CancellationToken.None);
        Assert.Equal(new QueueUrls("q", "http://queue/q", "http://queue/q-dead", "http://queue/q-parked"), urls);
        Assert.Equal(1_048_576, sqs.Created["q"].MaximumMessageSize);
        Assert.Equal(1_048_576, sqs.Created["q-dead"].MaximumMessageSize);
        Assert.Equal(new RedrivePolicy("arn:http://queue/q-dead", 1_000), sqs.Created["q"].RedrivePolicy);
        // However often a message is received there, it is moved nowhere.
        Assert.Null(sqs.Created["q-parked"].RedrivePolicy);
    }

    [Fact]
    public async Task Queues_that_exist_are_used_as_they_are()
    {
        var sqs = new FakeSqs(_time);
        await WorkQueues.OpenAsync(sqs, "q", CancellationToken.None);
        Assert.Equal("http://queue/q", (await WorkQueues.OpenAsync(sqs, "q", CancellationToken.None)).Url);
        Assert.Equal(3, sqs.Created.Count);
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
        _watched.SendAsync(FakeSqs.UrlOf("q"), [new SendEntry("a"u8.ToArray())], CancellationToken.None).AsTask();

    private sealed class KeptLog : ILogger
    {
        public List<string> Lines { get; } = [];

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) =>
            Lines.Add(formatter(state, exception));
    }
}
