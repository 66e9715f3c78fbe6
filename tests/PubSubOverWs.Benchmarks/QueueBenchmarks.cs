using System.Text;
using BenchmarkDotNet.Attributes;
using PubSubOverWs.LocalSqs;

namespace PubSubOverWs.Benchmarks;

/// <summary>The embedded queue without its HTTP: a batch as the pubsub server sends, receives and deletes it.</summary>
[MemoryDiagnoser]
public class QueueBenchmarks
{
    private const int Batch = 10;

    private readonly QueueInMemory _queue = new QueueStore(TimeProvider.System).Create("bench", []);
    private readonly NewMessage[] _messages;

    public QueueBenchmarks()
    {
        var text = Encoding.ASCII.GetBytes($"\"{new string('x', 300)}\"");
        var body = new MessageBody(text, text.Length - 2, Md5Sum.Compute(text.AsSpan(1..^1)));
        _messages = [.. Enumerable.Repeat(new NewMessage(body), Batch)];
    }

    [GlobalSetup(Target = nameof(SendReceiveDeleteBehindOthers))]
    public void FillQueue()
    {
        for (var i = 0; i < 10_000; i++)
            _queue.Send(_messages);
    }

    [Benchmark(Baseline = true, OperationsPerInvoke = Batch)]
    public Task<int> SendReceiveDelete() => RoundTripAsync();

    /// <summary>With 100,000 messages waiting before them.</summary>
    [Benchmark(OperationsPerInvoke = Batch)]
    public Task<int> SendReceiveDeleteBehindOthers() => RoundTripAsync();

    private async Task<int> RoundTripAsync()
    {
        _queue.Send(_messages);
        var received = await _queue.ReceiveAsync(Batch, TimeSpan.Zero, visibility: null, () => false, CancellationToken.None);
        foreach (var handout in received)
            _queue.Delete(new ReceiptHandle(_queue.Id, handout.Number, handout.Receipt));
        return received.Count;
    }
}
