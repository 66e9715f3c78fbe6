using System.Security.Cryptography;
using PubSubOverWs.Hosting;

namespace PubSubOverWs.LoadTest.Harness.Clients;

/// <summary>Where clients connect, resolved once, with the bytes that are the same for every connection.</summary>
public sealed class ClientTarget
{
    public const string Path = "/ws";
    public const string SubProtocol = "v12.stomp";

    /// <summary>
    /// Of servers that are no part of the program: <c>stomp+ws://HOST:PORT/PATH#VHOST</c>, where VHOST is the <c>host</c> of CONNECT
    /// (RabbitMQ: the virtual host), by itself the address.
    /// </summary>
    public const string Scheme = "stomp+ws";

    private readonly string _path;

    private ClientTarget(Uri address, IPEndPoint endPoint, ServerAccess access)
    {
        Address = address;
        EndPoint = endPoint;
        Access = access;
        Host = address.Authority;
        _path = address.Scheme == Scheme ? address.AbsolutePath : Path;
        var virtualHost = Uri.UnescapeDataString(address.Fragment.TrimStart('#'));
        ConnectFrame = StompMessages.Connect(virtualHost.Length > 0 ? virtualHost : endPoint.Address.ToString(), access);
    }

    /// <summary>The server: <c>http://HOST:PORT</c>.</summary>
    public Uri Address { get; }

    public IPEndPoint EndPoint { get; }

    /// <summary>What its clients log in with.</summary>
    public ServerAccess Access { get; }

    /// <summary>The HTTP Host header.</summary>
    public string Host { get; }

    /// <summary>CONNECT, with login and passcode if the server has users.</summary>
    public ReadOnlyMemory<byte> ConnectFrame { get; }

    /// <summary>Of a server without users.</summary>
    /// <inheritdoc cref="ResolveAsync(Uri, ServerAccess, CancellationToken)"/>
    public static Task<ClientTarget> ResolveAsync(Uri address, CancellationToken cancellationToken) =>
        ResolveAsync(address, ServerAccess.None, cancellationToken);

    /// <exception cref="ArgumentException">Not a plain http or ws address: this client has no TLS.</exception>
    /// <exception cref="System.Net.Sockets.SocketException">The name does not resolve.</exception>
    public static async Task<ClientTarget> ResolveAsync(Uri address, ServerAccess access, CancellationToken cancellationToken)
    {
        if (address.Scheme is not ("http" or "ws" or Scheme))
            throw new ArgumentException(
                $"The load runner speaks to http:// and ws:// only, not to {address}: put the load on the plain port.", nameof(address));
        var addresses = await Dns.GetHostAddressesAsync(address.Host, cancellationToken);
        return new ClientTarget(address, new IPEndPoint(addresses[0], address.Port), access);
    }

    /// <summary>The request that turns the connection into a WebSocket (RFC 6455, 4.1).</summary>
    /// <param name="key">From <see cref="UpgradeKey.Create"/>.</param>
    public byte[] UpgradeRequest(string key) => UpgradeRequest(key, _path, SubProtocol);

    /// <inheritdoc cref="UpgradeRequest(string)"/>
    /// <param name="pathAndQuery">Such as <c>/ws?a=b</c>.</param>
    /// <param name="subProtocol">Asked for; null: none.</param>
    public byte[] UpgradeRequest(string key, string pathAndQuery, string? subProtocol) => Encoding.ASCII.GetBytes(
        $"GET {pathAndQuery} HTTP/1.1\r\nHost: {Host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + $"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            + (subProtocol is null ? "\r\n" : $"Sec-WebSocket-Protocol: {subProtocol}\r\n\r\n"));
}

/// <summary>Credentials of this program for servers with users.</summary>
/// <param name="Login">For every connection; null: none is sent.</param>
/// <param name="Passcode">Null only together with <paramref name="Login"/>.</param>
/// <param name="StatsToken">The bearer token for <c>/stats</c>; null: none is sent.</param>
public sealed record ServerAccess(string? Login, Secret? Passcode, Secret? StatsToken)
{
    /// <summary>For servers without users.</summary>
    public static ServerAccess None { get; } = new(null, null, null);

    /// <summary>The options that were given, with secrets masked.</summary>
    public IEnumerable<(string Name, string Value)> Options
    {
        get
        {
            if (Login is not null)
                yield return ("--login", Login);
            if (Passcode is not null)
                yield return ("--passcode-file", Secret.Mask);
            if (StatsToken is not null)
                yield return ("--stats-token-file", Secret.Mask);
        }
    }
}

/// <summary>A value that must not appear in a record, a log or a message. Its text is a mask.</summary>
public sealed class Secret(string value)
{
    public const string Mask = "given, not recorded";

    /// <summary>Only to be sent.</summary>
    public string Value { get; } = value;

    /// <summary>Reads a file with one secret; a line end after it is ignored.</summary>
    /// <param name="option">The option that names the file, for messages.</param>
    /// <param name="isToken">It is sent as an HTTP header.</param>
    /// <exception cref="RefusalException">The file cannot be read or is empty, or the secret could never match.</exception>
    public static Secret Read(string option, string path, bool isToken)
    {
        try
        {
            var text = File.ReadAllText(path).TrimEnd('\r', '\n');
            if (SecretText.FindFault(text, isToken) is { } fault)
                throw new RefusalException($"The file {path} of {option} {fault}.");
            return text.Length > 0
                ? new Secret(text)
                : throw new RefusalException($"The file {path} of {option} is empty: write the secret into it.");
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw new RefusalException($"The file of {option} cannot be read: {failure.Message}", failure);
        }
    }

    public override string ToString() => Mask;
}

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
