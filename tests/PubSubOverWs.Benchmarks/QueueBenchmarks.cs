using System.Text;
using BenchmarkDotNet.Attributes;
using PubSubOverWs.LocalSqs;
using PubSubOverWs.PubSubServer;
using PubSubOverWs.Relay;

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

/// <summary>
/// The body of an SQS message with one application message of 100 bytes: written by the publisher's side, read by the subscriber's.
/// </summary>
[MemoryDiagnoser]
public class EnvelopeBenchmarks
{
    private readonly Message[] _text = [Of(Enumerable.Repeat((byte)'x', 100))];
    private readonly Message[] _binary = [Of(Enumerable.Range(0, 100).Select(i => (byte)(i * 37)))];
    private readonly byte[] _envelope;

    public EnvelopeBenchmarks() => _envelope = EnvelopeJson.Write(null, _text);

    [Benchmark]
    public byte[] WriteText() => EnvelopeJson.Write(null, _text);

    [Benchmark]
    public byte[] WriteBinary() => EnvelopeJson.Write(null, _binary);

    [Benchmark]
    public bool Read() => EnvelopeJson.TryRead(_envelope, out _, out _);

    private static Message Of(IEnumerable<byte> body) => new("abcdef.1-1", "/queue/run-1-1", [], body.ToArray(), IsText: true);
}
