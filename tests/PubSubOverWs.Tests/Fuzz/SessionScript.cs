using System.Text;

namespace PubSubOverWs.Tests.Fuzz;

/// <summary>The frames of a client: mostly well-formed, in an order that often makes sense and often does not.</summary>
/// <param name="draw">By chance.</param>
/// <param name="session">The name of its connection, which the ids of its messages begin with.</param>
internal sealed class SessionScript(Draw draw, string session)
{
    private static readonly string[] Destinations = ["/queue/a", "/queue/a", "/queue/b", "/topic/t", "/nowhere", "/raw/x", ""];
    private static readonly string[] Ids = ["1", "2", "3", "4"];
    private static readonly string[] AckIds = ["1-1", "1-2", "1-3", "2-1", "2-2", "3-1", "0-1", "9-9", "x"];

    private readonly StringBuilder _text = new();

    public string Write(int frames)
    {
        for (var i = 0; i < frames; i++)
        {
            if (i == 0 && !draw.OneIn(15))
                Frame("CONNECT", ("accept-version", draw.Of("1.2", "1.2", "1.1", "1.0", "1.0,1.1,1.2", "9")),
                    ("heart-beat", draw.Of("0,0", "1,1", "x")));
            else
                Any();
        }
        return _text.ToString();
    }

    private void Any()
    {
        switch (draw.Below(40))
        {
            case < 14:
                Frame("SEND",
                    [("destination", draw.Of<string>(Destinations)), .. Transaction(),
                        .. draw.OneIn(9) ? [("id", "same")] : Array.Empty<(string, string)>()],
                            draw.Of("body", "body", "late", "refuse", ""));
                break;
            case < 20:
                Frame("SUBSCRIBE", ("destination", draw.Of<string>(Destinations)), ("id", draw.Of<string>(Ids)),
                    ("ack", draw.Of("auto", "client", "client-individual", "client", "x")), ("prefetch-count", draw.Of("1", "5", "0")));
                break;
            case < 23:
                Frame("UNSUBSCRIBE", ("id", draw.Of<string>(Ids)));
                break;
            case < 31:
                Frame(draw.Of("ACK", "ACK", "NACK"),
                    [("id", AckId()), ("message-id", AckId()), .. Transaction()]);
                break;
            case < 37:
                Frame(draw.Of("BEGIN", "BEGIN", "COMMIT", "ABORT"), ("transaction", draw.Of("t", "u", "v")));
                break;
            case 37:
                Frame("DISCONNECT");
                break;
            case 38:
                _text.Append(draw.Of("\n", "\r\n\n"));
                break;
            default:
                Frame(draw.Of("CONNECT", "STOMP", "MESSAGE", "RECEIPT", "send", ""));
                break;
        }
    }

    private string AckId() => draw.OneIn(20) ? draw.Of<string>(AckIds) : $"{session}-{draw.Of<string>(AckIds)}";

    private (string, string)[] Transaction() => draw.OneIn(6) ? [("transaction", draw.Of("t", "u"))] : [];

    private void Frame(string command, params (string Name, string Value)[] headers) => Frame(command, headers, "");

    private void Frame(string command, (string Name, string Value)[] headers, string body)
    {
        _text.Append(command).Append('\n');
        foreach (var (name, value) in headers)
        {
            if (!draw.OneIn(60))
                _text.Append(name).Append(':').Append(value).Append('\n');
        }
        if (draw.OneIn(3))
            _text.Append("receipt:r").Append(draw.Below(100)).Append('\n');
        _text.Append('\n').Append(body).Append('\0');
    }
}
