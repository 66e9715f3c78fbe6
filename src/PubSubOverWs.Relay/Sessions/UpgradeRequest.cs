using System.Buffers;
using System.Buffers.Text;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using Microsoft.Extensions.Primitives;
using Microsoft.Net.Http.Headers;

namespace PubSubOverWs.Relay;

/// <summary>
/// A WebSocket handshake (RFC 6455, 4.2.1) that is whole, and written so that nobody can read it otherwise. Anything else is left to the
/// web server, which knows all of HTTP: no error is answered here.
/// </summary>
/// <param name="IsRaw">To <c>/raw</c>, and not to <c>/ws</c>.</param>
/// <param name="Length">Bytes, to the end of the empty line.</param>
/// <param name="Context">The request, with the headers that decide whether it is accepted.</param>
/// <param name="Accept">The answer's <c>Sec-WebSocket-Accept</c>.</param>
internal sealed partial record UpgradeRequest(bool IsRaw, int Length, HttpContext Context, string Accept)
{
    /// <summary>Most bytes; a longer one is left to the web server.</summary>
    public const int MaxBytes = 8 * 1024;

    // RFC 6455, 1.3.
    private const string Guid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private const int KeyBytes = 16, KeyLength = 24;

    // The web server takes as many.
    private const int MaxHeaders = 100;

    // Each of them once, at most. Proxies that append to a list send one header.
    private static readonly string[] Known =
    [
        HeaderNames.Host, HeaderNames.Upgrade, HeaderNames.Connection, HeaderNames.SecWebSocketKey, HeaderNames.SecWebSocketVersion,
        HeaderNames.SecWebSocketProtocol, HeaderNames.Origin, HeaderNames.Authorization, "X-Forwarded-For",
    ];

    // With one of these the request has a body, or wants another answer first: where it ends is for one reader of HTTP to decide.
    private static readonly string[] Foreign =
    [
        HeaderNames.ContentLength, HeaderNames.TransferEncoding, HeaderNames.Expect, HeaderNames.Trailer, HeaderNames.TE, "HTTP2-Settings",
    ];

    private static readonly SearchValues<byte> NameBytes = SearchValues.Create(
        "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"u8);

    /// <returns>Null: it is left to the web server.</returns>
    public static UpgradeRequest? Read(ReadOnlySpan<byte> bytes)
    {
        var end = bytes.IndexOf("\r\n\r\n"u8);
        if (end < 0)
            return null;
        var rest = bytes[..(end + 2)];
        if (!TryTake(ref rest, out var line) || !TryReadTarget(line, out var isRaw, out var query))
            return null;
        var context = new DefaultHttpContext();
        var request = context.Request;
        for (var headers = 1; TryTake(ref rest, out line); headers++)
        {
            if (headers > MaxHeaders || !TryReadHeader(line, request.Headers))
                return null;
        }
        if (!rest.IsEmpty || !IsUpgrade(request.Headers, out var key))
            return null;
        request.Method = HttpMethods.Get;
        request.Path = isRaw ? "/raw" : "/ws";
        request.Protocol = HttpProtocol.Http11;
        request.QueryString = new QueryString(query.IsEmpty ? null : Encoding.ASCII.GetString(query));
        return new UpgradeRequest(isRaw, end + 4, context, ComputeAccept(key));
    }

    /// <summary>The answer that opens the WebSocket.</summary>
    /// <param name="subProtocol">In common; null: none was offered.</param>
    public byte[] Answer(string? subProtocol) => Encoding.ASCII.GetBytes(
        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            + $"Sec-WebSocket-Accept: {Accept}\r\n{(subProtocol is null ? "" : $"Sec-WebSocket-Protocol: {subProtocol}\r\n")}\r\n");

    // Up to a CRLF; neither CR nor LF may stand anywhere else.
    private static bool TryTake(ref ReadOnlySpan<byte> rest, out ReadOnlySpan<byte> line)
    {
        var end = rest.IndexOfAny((byte)'\r', (byte)'\n');
        line = end < 0 ? default : rest[..end];
        if (end < 0 || !rest[end..].StartsWith("\r\n"u8))
            return false;
        rest = rest[(end + 2)..];
        return true;
    }

    private static bool TryReadTarget(ReadOnlySpan<byte> line, out bool isRaw, out ReadOnlySpan<byte> query)
    {
        isRaw = line.StartsWith("GET /raw"u8);
        query = default;
        if (!(isRaw || line.StartsWith("GET /ws"u8)) || !line.EndsWith(" HTTP/1.1"u8))
            return false;
        var start = (isRaw ? "GET /raw"u8 : "GET /ws"u8).Length;
        var stop = line.Length - " HTTP/1.1"u8.Length;
        if (stop < start)
            return false;
        query = line[start..stop];
        // Visible characters; a fragment has no place in a request.
        return query.IsEmpty
            || (query[0] == (byte)'?' && !query.ContainsAnyExceptInRange((byte)'!', (byte)'~') && !query.Contains((byte)'#'));
    }

    private static bool TryReadHeader(ReadOnlySpan<byte> line, IHeaderDictionary headers)
    {
        var colon = line.IndexOf((byte)':');
        if (colon <= 0)
            return false;
        var name = line[..colon];
        var value = line[(colon + 1)..].Trim(" \t"u8);
        if (name.ContainsAnyExcept(NameBytes) || value.ContainsAnyExceptInRange((byte)' ', (byte)'~') || IsOneOf(name, Foreign, out _))
            return false;
        // The others decide nothing.
        return !IsOneOf(name, Known, out var known) || headers.TryAdd(known, new StringValues(Encoding.ASCII.GetString(value)));
    }

    private static bool IsOneOf(ReadOnlySpan<byte> name, string[] names, out string found)
    {
        foreach (var one in names)
        {
            found = one;
            if (name.Length == one.Length && Ascii.EqualsIgnoreCase(name, one))
                return true;
        }
        found = "";
        return false;
    }

    private static bool IsUpgrade(IHeaderDictionary headers, out string key)
    {
        key = headers.SecWebSocketKey.ToString();
        var words = headers.Connection.ToString().Split(',', StringSplitOptions.TrimEntries);
        return HostText().IsMatch(headers.Host.ToString())
            && headers.SecWebSocketVersion == "13"
            && "websocket".Equals(headers.Upgrade, StringComparison.OrdinalIgnoreCase)
            && words.Contains("Upgrade", StringComparer.OrdinalIgnoreCase)
            && key.Length == KeyLength && Base64.IsValid(key, out var bytes) && bytes == KeyBytes;
    }

    // A name, an IPv4 or an IPv6 address, and perhaps a port, as the web server takes them.
    [GeneratedRegex(@"^([-._0-9A-Za-z]+|\[[.:0-9A-Fa-f]{3,}\])(:[0-9]+)?\z")]
    private static partial Regex HostText();

    // SHA-1 is what the protocol asks for; it protects nothing.
#pragma warning disable CA5350
    private static string ComputeAccept(string key) => Convert.ToBase64String(SHA1.HashData(Encoding.ASCII.GetBytes(key + Guid)));
#pragma warning restore CA5350
}
