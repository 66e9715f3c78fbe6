using BenchmarkDotNet.Attributes;
using PubSubOverWs.PubSubServer;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Benchmarks;

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
