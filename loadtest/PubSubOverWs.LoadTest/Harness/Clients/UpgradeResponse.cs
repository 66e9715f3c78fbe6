using System.Security.Cryptography;

namespace PubSubOverWs.LoadTest.Harness.Clients;

/// <summary>The server's answer to the upgrade request.</summary>
public static class UpgradeResponse
{
    /// <summary>Reads a complete answer from the front of the received bytes.</summary>
    /// <param name="expectedAccept">From <see cref="UpgradeKey.Accept"/>.</param>
    /// <param name="length">The bytes of the answer; WebSocket frames may follow.</param>
    /// <param name="rejection">Null: accepted. Otherwise the status, such as <c>503</c>, or what is wrong with a header.</param>
    /// <param name="subProtocol">Asked for; null: none.</param>
    /// <returns>False: more bytes are needed.</returns>
    public static bool TryRead(
        ReadOnlySpan<byte> received, string expectedAccept, out int length, out string? rejection,
        string? subProtocol = ClientTarget.SubProtocol)
    {
        rejection = null;
        length = received.IndexOf("\r\n\r\n"u8) + 4;
        if (length < 4)
            return false;
        rejection = Judge(Encoding.Latin1.GetString(received[..(length - 4)]).Split("\r\n"), expectedAccept, subProtocol);
        return true;
    }

    private static string? Judge(string[] lines, string expectedAccept, string? subProtocol)
    {
        var status = lines[0].Split(' ') is ["HTTP/1.1", var code, ..] ? code : "not HTTP/1.1";
        return status != "101" ? status
            : Header(lines, "Sec-WebSocket-Accept") != expectedAccept ? "101 with a wrong Sec-WebSocket-Accept"
            : Header(lines, "Sec-WebSocket-Protocol") is var chosen && chosen != subProtocol
                ? subProtocol is null ? $"101 with the sub-protocol {chosen}" : $"101 without the sub-protocol {subProtocol}"
            : null;
    }

    private static string? Header(string[] lines, string name)
    {
        foreach (var line in lines.AsSpan(1))
        {
            var colon = line.IndexOf(':', StringComparison.Ordinal);
            if (colon == name.Length && line.StartsWith(name, StringComparison.OrdinalIgnoreCase))
                return line[(colon + 1)..].Trim();
        }
        return null;
    }
}

/// <summary>The nonce of a handshake, and the answer to it (RFC 6455, 4.2.2).</summary>
public static class UpgradeKey
{
    private const string Guid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private const int Bytes = 16;

    /// <summary>16 random bytes in base64. Not from a seed: no measurement depends on it.</summary>
    public static string Create() => Convert.ToBase64String(RandomNumberGenerator.GetBytes(Bytes));

    [System.Diagnostics.CodeAnalysis.SuppressMessage(
        "Security", "CA5350", Justification = "RFC 6455 asks for SHA-1; nothing is kept secret by it.")]
    public static string Accept(string key) => Convert.ToBase64String(SHA1.HashData(Encoding.ASCII.GetBytes(key + Guid)));
}
