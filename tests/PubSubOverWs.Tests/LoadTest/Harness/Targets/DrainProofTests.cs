using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.Queues;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.LoadTest.Harness.Targets;

public sealed class DrainProofTests
{
    private const string Url = "http://queue";
    private const string DeadUrl = "http://queue-dead";

    private readonly CountedQueues _queues = new();
    private readonly FakeTime _time = new();
    private DrainLooks _looks = DrainLooks.Near;
    private long? _held = 0;
    private string[] _others = [];

    public DrainProofTests()
    {
        _queues.Script(Url, (0, 0, 0));
        _queues.Script(DeadUrl, (0, 0, 0));
    }

    [Fact]
    public async Task Three_empty_looks_100_ms_apart_are_the_proof()
    {
        var result = await ProveAsync(await BeginAsync());

        Assert.Equal(DrainState.Proven, result.State);
        Assert.Equal(TimeSpan.FromMilliseconds(200), result.Took);
        Assert.Equal(1 + 3 + 1, _queues.Looks); // And at the dead letters, before and after.
    }

    [Fact]
    public async Task A_distant_queue_whose_counts_come_late_has_to_look_empty_for_longer_than_a_minute()
    {
        _looks = DrainLooks.Aws;
        _queues.Script(Url, (0, 0, 0), (0, 1, 0), (0, 0, 0));

        var result = await ProveAsync(await BeginAsync());

        Assert.Equal(DrainState.Proven, result.State);
        Assert.Equal(TimeSpan.FromSeconds(2 * 15 + 75), result.Took);
        Assert.Equal(TimeSpan.FromSeconds(75), _looks.Shortest);
    }

    [Fact]
    public async Task A_message_seen_in_between_starts_the_count_again()
    {
        _queues.Script(Url, (0, 0, 0), (0, 0, 0), (0, 1, 0), (0, 0, 0));

        var result = await ProveAsync(await BeginAsync());

        Assert.Equal(DrainState.Proven, result.State);
        Assert.Equal(TimeSpan.FromMilliseconds(500), result.Took);
    }

    [Theory]
    [InlineData(1, 0, 0)]
    [InlineData(0, 1, 0)]
    [InlineData(0, 0, 1)]
    public async Task Messages_left_in_the_queue_fail_the_proof_and_are_shown(long visible, long inFlight, long delayed)
    {
        _queues.Script(Url, (visible, inFlight, delayed));

        var result = await ProveAsync(await BeginAsync());

        Assert.Equal(DrainState.Failed, result.State);
        Assert.Equal(new QueueRemains(StillQueued: 1, DeadLettered: 0), result.Remains);
        Assert.Equal($"not drained: {visible} visible, {inFlight} in flight, {delayed} delayed, 0 held by the server", result.ToString());
    }

    [Fact]
    public async Task With_several_queues_none_may_have_anything()
    {
        _others = ["http://queue-node-a", "http://queue-node-b"];
        _queues.Script(_others[0], (1, 0, 0), (0, 0, 0));
        _queues.Script(_others[1], (0, 0, 0), (0, 0, 0), (0, 2, 0), (0, 0, 0));

        var result = await ProveAsync(await BeginAsync());

        Assert.Equal(DrainState.Proven, result.State);
        Assert.Equal(TimeSpan.FromMilliseconds(500), result.Took); // The third look saw something again.

        _queues.Script(Url, (1, 0, 0));
        _queues.Script(_others[1], (0, 2, 0));

        Assert.Equal(
            "not drained: 1 visible, 2 in flight, 0 delayed, 0 held by the server", (await ProveAsync(await BeginAsync())).ToString());
    }

    [Fact]
    public async Task Messages_held_by_the_server_fail_the_proof_and_are_not_counted_twice()
    {
        _queues.Script(Url, (0, 2, 0));
        _held = 2;

        var result = await ProveAsync(await BeginAsync());

        Assert.Equal(DrainState.Failed, result.State);
        Assert.Equal(2, result.Remains.StillQueued);
    }

    [Fact]
    public async Task A_server_that_does_not_report_its_held_messages_proves_nothing()
    {
        _held = null;

        Assert.Equal(DrainState.Failed, (await ProveAsync(await BeginAsync())).State);
    }

    [Fact]
    public async Task Only_new_dead_letters_count()
    {
        _queues.Script(DeadUrl, (3, 0, 0), (4, 0, 0), (4, 0, 0), (6, 0, 0));
        var proof = await BeginAsync();

        Assert.Equal(1, (await ProveAsync(proof)).DeadLettered);
        Assert.Equal(0, (await ProveAsync(proof)).DeadLettered);
        Assert.Equal(2, (await ProveAsync(proof)).DeadLettered);
    }

    [Fact]
    public async Task Dead_letters_that_could_not_be_counted_before_are_not_called_new()
    {
        _queues.Script(DeadUrl, (3, 0, 0), (4, 0, 0));
        _queues.Failure = new QueueException(SqsErrorCode.Unreachable, "nobody answers", isRetryable: true);
        var proof = await BeginAsync();
        _queues.Failure = null;

        Assert.Equal(0, (await ProveAsync(proof)).DeadLettered);
        Assert.Equal(1, (await ProveAsync(proof)).DeadLettered);
    }

    [Fact]
    public async Task Without_an_endpoint_nothing_is_proven()
    {
        var proof = await DrainProof.BeginAsync(null, _ => Task.FromResult<long?>(0), _looks, _time, CancellationToken.None);

        var result = await proof.ProveAsync(CancellationToken.None);

        Assert.Equal(DrainState.NotProven, result.State);
    }

    [Fact]
    public async Task Queues_that_exist_now_are_counted_where_queues_come_and_go()
    {
        const string Gone = "http://gone", New = "http://new";
        _queues.Script(Gone, (1, 0, 0));
        _queues.Script(New, (0, 1, 0), (0, 0, 0));
        IReadOnlyList<string>? now = [Gone];
        var location = new QueueLocation(_queues, now, DeadUrl) { Now = _ => Task.FromResult<IReadOnlyList<string>?>(now) };
        var proof = await DrainProof.BeginAsync(location, _ => Task.FromResult(_held), _looks, _time, CancellationToken.None);
        now = [New];

        var result = await ProveAsync(proof);

        Assert.Equal((DrainState.Proven, TimeSpan.FromMilliseconds(300)), (result.State, result.Took));

        // A server does not say which queue it has. That of before may be gone, and no failure of it is one of the queue.
        now = null;
        var looks = _queues.Looks;
        result = await ProveAsync(proof);
        Assert.Equal((DrainState.Failed, null), (result.State, result.Failure));
        Assert.Equal(looks + 1, _queues.Looks); // At the dead letters.
    }

    [Fact]
    public async Task A_queue_that_does_not_answer_proves_nothing()
    {
        _queues.Failure = new QueueException(SqsErrorCode.Unreachable, "nobody answers", isRetryable: true);

        Assert.Equal(DrainState.NotProven, (await ProveAsync(await BeginAsync())).State);
    }

    [Theory]
    [InlineData("""{"server":"direct","queue":null}""", 0L)]
    [InlineData("""{"server":"pubsub","queue":{"name":"q","held":17}}""", 17L)]
    [InlineData("""{"server":"pubsub","queue":{"name":"q"}}""", null)]
    [InlineData("""{"server":"other"}""", null)]
    [InlineData("<html>", null)]
    public void The_held_count_is_read_from_stats(string json, long? held) => Assert.Equal(held, StatsReader.Held(json));

    [Theory]
    [InlineData("""{"server":"direct"}""", true)]
    [InlineData("[]", false)]
    [InlineData("<html>", false)]
    [InlineData("", false)]
    public void Only_a_JSON_object_is_stats(string answer, bool isObject) => Assert.Equal(isObject, StatsReader.IsObject(answer));

    private Task<DrainProof> BeginAsync() =>
        DrainProof.BeginAsync(
            new QueueLocation(_queues, [Url, .. _others], DeadUrl), _ => Task.FromResult(_held), _looks, _time, CancellationToken.None);

    /// <summary>Moves the clock whenever the proof waits for it.</summary>
    private Task<DrainResult> ProveAsync(DrainProof proof) => proof.ProveAsync(CancellationToken.None).WhileAsync(() =>
    {
        if (_time.TimersSet > 0)
            _time.Advance(_looks.Between);
    });
}

/// <summary>Queues that can only be asked for their counts: the answers of each are a script, of which the last one stays.</summary>
internal sealed class CountedQueues : ISqs
{
    private readonly Dictionary<string, Queue<QueueAttributes>> _answers = [];

    public PubSubOverWs.Queues.QueueTraffic Traffic => throw new NotSupportedException();

    public QueueException? Failure { get; set; }

    public int Looks { get; private set; }

    public void Script(string url, params (long Visible, long InFlight, long Delayed)[] counts) =>
        _answers[url] = new(counts.Select(one => new QueueAttributes("arn", one.Visible, one.InFlight, one.Delayed, new QueueSettings())));

    public ValueTask<QueueAttributes> GetQueueAttributesAsync(string queueUrl, CancellationToken cancellationToken)
    {
        Looks++;
        var answers = _answers[queueUrl];
        return Failure is not null ? throw Failure : ValueTask.FromResult(answers.Count > 1 ? answers.Dequeue() : answers.Peek());
    }

    public ValueTask<string> CreateQueueAsync(string name, QueueSettings settings, CancellationToken cancellationToken) =>
        throw new NotSupportedException();

    public ValueTask<string> GetQueueUrlAsync(string name, CancellationToken cancellationToken) => throw new NotSupportedException();

    public ValueTask DeleteQueueAsync(string queueUrl, CancellationToken cancellationToken) => throw new NotSupportedException();

    public ValueTask<IReadOnlyList<string>> ListQueuesAsync(string prefix, CancellationToken cancellationToken) =>
        throw new NotSupportedException();

    public ValueTask<IReadOnlyList<EntryResult>> SendAsync(
        string queueUrl, IReadOnlyList<SendEntry> entries, CancellationToken cancellationToken) => throw new NotSupportedException();

    public ValueTask<IReadOnlyList<ReceivedMessage>> ReceiveAsync(
        string queueUrl, ReceiveRequest request, CancellationToken stopping) =>
        throw new NotSupportedException();

    public ValueTask<IReadOnlyList<EntryResult>> SettleAsync(
        string queueUrl, IReadOnlyList<string> receiptHandles, CancellationToken cancellationToken) => throw new NotSupportedException();

    public ValueTask<IReadOnlyList<EntryResult>> HoldAsync(
        string queueUrl, IReadOnlyList<HoldEntry> entries, CancellationToken cancellationToken) => throw new NotSupportedException();
}
