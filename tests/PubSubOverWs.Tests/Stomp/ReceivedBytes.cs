using System.Buffers;
using System.Text;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.Tests.Stomp;

/// <summary>Uses a reader as a session does: keeps the bytes that were not consumed, and appends those that come.</summary>
public sealed class ReceivedBytes(StompVersion version = StompVersion.V12, StompLimits? limits = null)
{
    private readonly StompReader _reader = new(limits ?? new StompLimits()) { Version = version };
    private byte[] _pending = [];

    public List<PlainFrame> Frames { get; } = [];

    public int Pending => _pending.Length;

    /// <summary>Bytes that went by without being part of a frame that came whole in the same call.</summary>
    public int Skipped { get; private set; }

    /// <summary>All frames of a text, as UTF-8.</summary>
    public static List<PlainFrame> ReadAll(string text, StompVersion version = StompVersion.V12, StompLimits? limits = null)
    {
        var stream = new ReceivedBytes(version, limits);
        stream.Append(Encoding.UTF8.GetBytes(text));
        return stream.Frames;
    }

    public static PlainFrame ReadOne(string text, StompVersion version = StompVersion.V12, StompLimits? limits = null) =>
        Assert.Single(ReadAll(text, version, limits));

    public static StompException Refused(string text, StompVersion version = StompVersion.V12, StompLimits? limits = null) =>
        Assert.Throws<StompException>(() => ReadAll(text, version, limits));

    /// <summary>The reader sees an array that ends where the bytes end, so that a read beyond them is an exception.</summary>
    public void Append(ReadOnlySpan<byte> bytes)
    {
        _pending = [.. _pending, .. bytes];
        while (true)
        {
            var isFrame = _reader.TryRead(_pending, out var frame, out var consumed);
            if (isFrame)
            {
                Assert.InRange(consumed, 1, _pending.Length);
                Frames.Add(PlainFrame.Copy(frame));
            }
            else
            {
                Skipped += consumed;
            }

            _pending = _pending[consumed..];
            if (!isFrame)
                return;
        }
    }
}

/// <summary>A frame that owns its parts, so that tests can keep and compare it. Bodies are Latin-1: any byte is one character.</summary>
public sealed record PlainFrame(StompCommand Command, IReadOnlyList<(string Name, string Value)> Headers, string Body = "")
{
    /// <summary>The value of the first header of that name; null when there is none.</summary>
    public string? Header(string name) => Headers.Where(header => header.Name == name).Select(header => header.Value).FirstOrDefault();

    public static PlainFrame Copy(StompFrame frame)
    {
        var headers = new List<(string, string)>();
        for (var i = 0; i < frame.HeaderCount; i++)
            headers.Add((Encoding.UTF8.GetString(frame.Name(i)), Encoding.UTF8.GetString(frame.Value(i))));

        return new PlainFrame(frame.Command, headers, Encoding.Latin1.GetString(frame.Body));
    }

    public byte[] Write(StompVersion version)
    {
        var output = new ArrayBufferWriter<byte>();
        var writer = new StompWriter(output, version);
        writer.Begin(Command);
        foreach (var (name, value) in Headers)
            writer.Header(name, value);

        writer.End(Encoding.Latin1.GetBytes(Body));
        return output.WrittenSpan.ToArray();
    }

    public override string ToString() =>
        $"{Command} {string.Join(", ", Headers.Select(header => $"'{header.Name}'='{header.Value}'"))} '{Body}'";

    public bool Equals(PlainFrame? other) =>
        other is not null && Command == other.Command && Body == other.Body && Headers.SequenceEqual(other.Headers);

    public override int GetHashCode() => HashCode.Combine(Command, Headers.Count, Body);
}
