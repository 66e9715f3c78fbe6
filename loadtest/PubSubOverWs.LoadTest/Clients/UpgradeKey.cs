using System.Security.Cryptography;
using System.Text;

namespace PubSubOverWs.LoadTest.Clients;

/// <summary>The nonce of a handshake and the answer that proves the server read it (RFC 6455, 4.2.2).</summary>
public static class UpgradeKey
{
    private const string Guid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private const int Bytes = 16;

    /// <summary>16 bytes, base64; drawn from the operating system, for nothing that is measured depends on it.</summary>
    public static string Create() => Convert.ToBase64String(RandomNumberGenerator.GetBytes(Bytes));

    [System.Diagnostics.CodeAnalysis.SuppressMessage(
        "Security", "CA5350", Justification = "RFC 6455 asks for SHA-1; nothing is kept secret by it.")]
    public static string Accept(string key) => Convert.ToBase64String(SHA1.HashData(Encoding.ASCII.GetBytes(key + Guid)));
}
