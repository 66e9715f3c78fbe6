using System.Text;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.Relay;

/// <summary>The headers of SEND that every receiver sees. Clients tend to send the same again: the last ones are kept if short.</summary>
internal struct MessageHeaders
{
    // Kept for each session, in addition to its bounded memory: at most about 600 bytes.
    private const int MaxKept = 4;
    private const int MaxKeptBytes = 128;

    private KeyValuePair<string, string>[]? _last;

    /// <summary>All but those of the protocol itself, in the order of the frame; of repeated ones the first.</summary>
    public KeyValuePair<string, string>[] Read(in StompFrame frame)
    {
        var count = 0;
        var bytes = 0;
        var isLast = true;
        for (var i = 0; i < frame.HeaderCount; i++)
        {
            if (!IsShown(frame, i))
                continue;
            isLast = isLast && IsLast(count, frame.Name(i), frame.Value(i));
            bytes += frame.Name(i).Length + frame.Value(i).Length;
            count++;
        }
        if (count == 0)
            return [];
        if (isLast && _last!.Length == count)
            return _last;
        var headers = Create(frame, count);
        _last = count <= MaxKept && bytes <= MaxKeptBytes ? headers : null;
        return headers;
    }

    private readonly bool IsLast(int index, ReadOnlySpan<byte> name, ReadOnlySpan<byte> value) => index < _last?.Length
        && Ascii.Equals(name, _last[index].Key) && Ascii.Equals(value, _last[index].Value);

    private static KeyValuePair<string, string>[] Create(in StompFrame frame, int count)
    {
        var headers = new KeyValuePair<string, string>[count];
        for (var (i, next) = (0, 0); next < count; i++)
        {
            if (IsShown(frame, i))
                headers[next++] = new(Encoding.UTF8.GetString(frame.Name(i)), Encoding.UTF8.GetString(frame.Value(i)));
        }
        return headers;
    }

    // Of repeated headers the first counts.
    private static bool IsShown(in StompFrame frame, int index) =>
        !StaysHere(frame.Name(index)) && frame.TryGet(frame.Name(index), out var first) && first == frame.Value(index);

    private static bool StaysHere(ReadOnlySpan<byte> name) =>
        name.SequenceEqual(StompNames.Destination) || name.SequenceEqual(StompNames.Id) || name.SequenceEqual(StompNames.ContentLength)
        || name.SequenceEqual(StompNames.Receipt) || name.SequenceEqual(StompNames.Transaction) || name.SequenceEqual(StompNames.MessageId)
        || name.SequenceEqual(StompNames.Subscription) || name.SequenceEqual(StompNames.Ack) || name.SequenceEqual(StompNames.Redelivered)
        || name.SequenceEqual(StompNames.Missed);
}
