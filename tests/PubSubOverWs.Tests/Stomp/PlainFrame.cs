using System.Buffers;
using System.Text;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.Tests.Stomp;

/// <summary>A frame that owns its parts, so that tests can keep and compare it. Bodies are Latin-1: any byte is one character.</summary>
public sealed record PlainFrame(StompCommand Command, IReadOnlyList<(string Name, string Value)> Headers, string Body = "")
{
    public static PlainFrame Copy(StompFrame frame)
    {
        var headers = new List<(string, string)>();
        for (var i = 0; i < frame.HeaderCount; i++)
        {
            headers.Add((Encoding.UTF8.GetString(frame.Name(i)), Encoding.UTF8.GetString(frame.Value(i))));
        }

        return new PlainFrame(frame.Command, headers, Encoding.Latin1.GetString(frame.Body));
    }

    public byte[] Write(StompVersion version)
    {
        var output = new ArrayBufferWriter<byte>();
        var writer = new StompWriter(output, version);
        writer.Begin(Command);
        foreach (var (name, value) in Headers)
        {
            writer.Header(name, value);
        }

        writer.End(Encoding.Latin1.GetBytes(Body));
        return output.WrittenSpan.ToArray();
    }

    public override string ToString() =>
        $"{Command} {string.Join(", ", Headers.Select(header => $"'{header.Name}'='{header.Value}'"))} '{Body}'";

    public bool Equals(PlainFrame? other) =>
        other is not null && Command == other.Command && Body == other.Body && Headers.SequenceEqual(other.Headers);

    public override int GetHashCode() => HashCode.Combine(Command, Headers.Count, Body);
}
