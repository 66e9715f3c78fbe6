using System.Buffers;
using System.Text;
using BenchmarkDotNet.Attributes;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.Benchmarks;

/// <summary>One frame in, one frame out: what the relay does per message, without its sockets.</summary>
[MemoryDiagnoser]
public class CodecBenchmarks
{
    private readonly StompReader _reader = new(new StompLimits());
    private readonly ArrayBufferWriter<byte> _output = new(4_096);
    private readonly byte[] _body = Encoding.ASCII.GetBytes(new string('x', 100));
    private readonly byte[] _send;
    private readonly byte[] _sendEscaped;
    private readonly byte[] _sendWithoutLength;

    public CodecBenchmarks()
    {
        var body = Encoding.ASCII.GetString(_body);
        _send = Encoding.UTF8.GetBytes($"SEND\ndestination:/queue/bench-17\nid:17-123456\ncontent-length:100\n\n{body}\0");
        _sendEscaped = Encoding.UTF8.GetBytes($"SEND\ndestination:/queue/a\\cb\nid:17\\c123456\ncontent-length:100\n\n{body}\0");
        _sendWithoutLength = Encoding.UTF8.GetBytes(
            $"SEND\ndestination:/queue/bench-17\nid:17-123456\ncontent-type:text/plain\n\n{body}\0");
    }

    [Benchmark(Baseline = true)]
    public int ReadSend() => Read(_send);

    [Benchmark]
    public int ReadSendWithEscapes() => Read(_sendEscaped);

    [Benchmark]
    public int ReadSendWithoutContentLength() => Read(_sendWithoutLength);

    [Benchmark]
    public int WriteMessage()
    {
        _output.ResetWrittenCount();
        var writer = new StompWriter(_output, StompVersion.V12);
        writer.Begin(StompCommand.Message);
        writer.Header(StompNames.Destination, "/queue/bench-17");
        writer.Header(StompNames.MessageId, "0-123456");
        writer.Header(StompNames.Subscription, "0");
        writer.Header(StompNames.Id, "17-123456");
        writer.Header(StompNames.ContentLength, _body.Length);
        writer.End(_body);
        return _output.WrittenCount;
    }

    private int Read(byte[] bytes)
    {
        _reader.TryRead(bytes, out var frame, out var consumed);
        return frame.TryGet(StompNames.Destination, out var destination) ? consumed + destination.Length : 0;
    }
}
