using System.Buffers.Binary;
using System.Text;
using System.Text.RegularExpressions;
using PubSubOverWs.Tests.Repository;

namespace PubSubOverWs.Tests.Relay.Sockets;

/// <summary>A line of <c>conformance.txt</c>, which says how it is written.</summary>
internal sealed partial class ConformanceCase
{
    private static readonly byte[] Mask = [0x37, 0xFA, 0x21, 0x3D];

    private readonly string _pieces;
    private readonly List<byte[]> _frames = [];

    private ConformanceCase(string line)
    {
        var parts = line.Split('|', StringSplitOptions.TrimEntries);
        (Number, _pieces) = (parts[0], parts[1]);
        foreach (Match frame in FrameText().Matches(parts[2]))
            Send(frame);
        foreach (Match frame in FrameText().Matches(parts[3]))
            Expect(frame);
        if (Closes.Count == 0)
        {
            Closes.Add(1000);
            Goodbye = Frame(0x88, [0x03, 0xE8]);
        }
    }

    public static IReadOnlyList<ConformanceCase> All { get; } =
    [
        .. SourceTree.Lines("tests/PubSubOverWs.Tests/Relay/Sockets/conformance.txt")
            .Where(line => line.Length > 0 && !line.StartsWith('#')).Select(line => new ConformanceCase(line)),
    ];

    public string Number { get; }

    public List<byte[]> Messages { get; } = [];

    /// <summary>The opcodes of the messages: text or binary.</summary>
    public List<int> Kinds { get; } = [];

    public List<byte[]> Pongs { get; } = [];

    /// <summary>Any of these codes ends the connection.</summary>
    public List<int> Closes { get; } = [];

    /// <summary>
    /// The close frame of a client that closes when all has come back: what still waits for a client that closes is not sent. Null: how it
    /// ends is what the case is about.
    /// </summary>
    public byte[]? Goodbye { get; }

    /// <summary>The client breaks a rule at the end.</summary>
    public bool IsOffence { get; private set; }

    /// <summary>What the client sends, cut as it is written.</summary>
    public IEnumerable<byte[]> Writes => _pieces switch
    {
        "whole" => [[.. _frames.SelectMany(frame => frame)]],
        "frames" => _frames,
        _ => _frames.SelectMany(frame => frame).Chunk(int.Parse(_pieces)),
    };

    private void Send(Match text)
    {
        var (payload, bits) = (Payload(text), text.Groups["bits"]);
        var first = Opcode(text) | (bits.Success ? int.Parse(bits.ValueSpan) << 4 : 0) | (text.Groups["open"].Success ? 0 : 0x80);
        for (var times = Times(text); times > 0; times--)
        {
            if (text.Groups["size"].Success)
                Fragments(first, payload, int.Parse(text.Groups["size"].ValueSpan));
            else
                _frames.Add(Frame(first, payload));
        }
    }

    private void Fragments(int first, byte[] payload, int size)
    {
        var pieces = payload.Chunk(size).ToArray();
        for (var i = 0; i < pieces.Length; i++)
            _frames.Add(Frame((i == 0 ? first & 0x7F : 0) | (i == pieces.Length - 1 ? 0x80 : 0), pieces[i]));
    }

    private void Expect(Match text)
    {
        var kind = text.Groups["kind"].Value;
        if (kind is "close" or "fail")
        {
            IsOffence = kind == "fail";
            Closes.AddRange(text.Groups["payload"].Value.Split(',').Select(int.Parse));
        }
        for (var times = Times(text); times > 0 && kind is "text" or "bin" or "pong"; times--)
        {
            (kind == "pong" ? Pongs : Messages).Add(Payload(text));
            if (kind != "pong")
                Kinds.Add(Opcode(text));
        }
    }

    private static int Opcode(Match text) => text.Groups["kind"].Value switch
    {
        "cont" => 0,
        "text" => 1,
        "bin" => 2,
        "close" => 8,
        "ping" => 9,
        "pong" => 10,
        _ => int.Parse(text.Groups["number"].ValueSpan),
    };

    private static int Times(Match text) => text.Groups["times"].Success ? int.Parse(text.Groups["times"].ValueSpan) : 1;

    private static byte[] Payload(Match text) =>
        [.. text.Groups["payload"].Value.Split('+', StringSplitOptions.RemoveEmptyEntries).SelectMany(Part)];

    private static IEnumerable<byte> Part(string text)
    {
        var part = PartText().Match(text);
        var bytes = part.Groups["text"].Success
            ? Encoding.UTF8.GetBytes(part.Groups["text"].Value)
            : Convert.FromHexString(part.Groups["hex"].Value);
        return Enumerable.Repeat(bytes, part.Groups["times"].Success ? int.Parse(part.Groups["times"].ValueSpan) : 1)
            .SelectMany(one => one);
    }

    /// <param name="first">The first byte.</param>
    /// <param name="payload">As it is before it is masked.</param>
    public static byte[] Frame(int first, ReadOnlySpan<byte> payload)
    {
        var length = payload.Length;
        Span<byte> wide = stackalloc byte[8];
        BinaryPrimitives.WriteUInt64BigEndian(wide, (ulong)length);
        var (word, width) = length < 126 ? (length, 0) : length < 65_536 ? (126, 2) : (127, 8);
        byte[] frame = [(byte)first, (byte)(0x80 | word), .. wide[^width..], .. Mask, .. payload];
        for (var i = 0; i < payload.Length; i++)
            frame[^(payload.Length - i)] ^= Mask[i % Mask.Length];
        return frame;
    }

    [GeneratedRegex(@"(?:(?<times>\d+)x)?(?<kind>[a-z]+)(?<number>\d+)?(?<open>-)?(?:\^(?<bits>\d))?(?:/(?<size>\d+))?"
        + @"\((?<payload>[^)]*)\)")]
    private static partial Regex FrameText();

    [GeneratedRegex(@"^(?:'(?<text>[^']*)'|(?<hex>[0-9a-f]+))(?:\*(?<times>\d+))?$")]
    private static partial Regex PartText();
}
