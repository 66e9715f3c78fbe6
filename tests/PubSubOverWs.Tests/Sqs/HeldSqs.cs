using System.Text;
using System.Threading.Channels;
using PubSubOverWs.Queues;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.Sqs;

/// <summary>A queue whose batch calls stay under way until the test ends them.</summary>
internal sealed class HeldSqs : ISqs
{
    private readonly Channel<HeldCall> _calls = Channel.CreateUnbounded<HeldCall>();
    private volatile bool _succeed;

    public QueueTraffic Traffic { get; } = new();
    public int CallsWaiting => _calls.Reader.Count;
    public async Task<HeldCall> NextAsync() => await _calls.Reader.ReadAsync().AsTask().Patiently("a call of the queue");
    public void SucceedFromNowOn() => _succeed = true;

    public ValueTask<IReadOnlyList<EntryResult>> SendAsync(
        string queueUrl, IReadOnlyList<SendEntry> entries, CancellationToken cancellationToken) =>
        HoldAsync(entries.Select(entry => Encoding.UTF8.GetString(entry.Body.Span)));

    public ValueTask<IReadOnlyList<EntryResult>> SettleAsync(
        string queueUrl, IReadOnlyList<string> receiptHandles, CancellationToken cancellationToken) =>
        HoldAsync(receiptHandles);

    public ValueTask<IReadOnlyList<EntryResult>> HoldAsync(
        string queueUrl, IReadOnlyList<HoldEntry> entries, CancellationToken cancellationToken) =>
        HoldAsync(entries.Select(entry => entry.ReceiptHandle));

    public ValueTask<string> CreateQueueAsync(string name, QueueSettings settings, CancellationToken cancellationToken) =>
        throw new NotSupportedException();

    public ValueTask<string> GetQueueUrlAsync(string name, CancellationToken cancellationToken) => throw new NotSupportedException();

    public ValueTask<QueueAttributes> GetQueueAttributesAsync(string queueUrl, CancellationToken cancellationToken) =>
        throw new NotSupportedException();

    public ValueTask DeleteQueueAsync(string queueUrl, CancellationToken cancellationToken) => throw new NotSupportedException();

    public ValueTask<IReadOnlyList<string>> ListQueuesAsync(string prefix, CancellationToken cancellationToken) =>
        throw new NotSupportedException();

    public ValueTask<IReadOnlyList<ReceivedMessage>> ReceiveAsync(
        string queueUrl, ReceiveRequest request, CancellationToken stopping) => throw new NotSupportedException();

    private ValueTask<IReadOnlyList<EntryResult>> HoldAsync(IEnumerable<string> bodies)
    {
        var call = new HeldCall([.. bodies]);
        if (_succeed)
            call.Succeed();
        else
            Assert.True(_calls.Writer.TryWrite(call));
        return new ValueTask<IReadOnlyList<EntryResult>>(call.Answered);
    }
}

/// <summary>A batch call under way: it ends as the test says.</summary>
internal sealed class HeldCall(string[] bodies)
{
    private readonly TaskCompletionSource<IReadOnlyList<EntryResult>> _answer = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>The contents of its entries: bodies or receipt handles.</summary>
    public string[] Bodies { get; } = bodies;

    public Task<IReadOnlyList<EntryResult>> Answered => _answer.Task;

    /// <summary>Each message gets its body for its id.</summary>
    public void Succeed() => Answer([.. Bodies.Select(body => new EntryResult(null, body))]);

    public void Answer(params EntryResult[] results) => _answer.SetResult(results);

    public void Fail(Exception failure) => _answer.SetException(failure);
}
