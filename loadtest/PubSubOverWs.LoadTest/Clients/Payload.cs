using System.Globalization;
using System.Numerics;
using System.Text;
using System.Text.Unicode;
using static System.FormattableString;

namespace PubSubOverWs.LoadTest.Clients;

/// <summary>
/// The body of a message: readable text of an exact size that names its message and proves that it came whole:
/// <c>crc=XXXXXXXX;id=ID;user=N;seq=N;.....</c>, where the CRC-32C covers all that follows its semicolon, padding included.
/// </summary>
public static class Payload
{
    private const byte Padding = (byte)'.';
    private const int Covered = 13;

    /// <param name="size">Octets, exactly.</param>
    /// <param name="messageId">The application id, ASCII.</param>
    /// <param name="user">The sender.</param>
    /// <param name="sequence">Its place among the messages of this user.</param>
    /// <exception cref="ArgumentException">The size has no room for the fields.</exception>
    public static byte[] Write(int size, string messageId, int user, int sequence)
    {
        var fields = Encoding.ASCII.GetBytes(Invariant($"id={messageId};user={user};seq={sequence};"));
        if (size < Covered + fields.Length)
            throw new ArgumentException(
                $"A payload of {size} bytes cannot hold id, user, sequence and checksum: use {Covered + fields.Length} or more.",
                nameof(size));
        var payload = new byte[size];
        payload.AsSpan().Fill(Padding);
        fields.CopyTo(payload, Covered);
        Encoding.ASCII.GetBytes($"crc={Checksum(payload.AsSpan(Covered)):x8};", payload);
        return payload;
    }

    /// <summary>False: this is not what <see cref="Write"/> made. True: <paramref name="messageId"/> is the id inside, in place.</summary>
    public static bool TryRead(ReadOnlySpan<byte> payload, out ReadOnlySpan<byte> messageId)
    {
        messageId = default;
        if (payload.Length < Covered)
            return false;
        // Compared as text: in upper case it would be the same number, and not the byte that was sent.
        Span<byte> stated = stackalloc byte[Covered];
        Utf8.TryWrite(stated, CultureInfo.InvariantCulture, $"crc={Checksum(payload[Covered..]):x8};", out _);
        if (!payload.StartsWith(stated))
            return false;
        var fields = payload[Covered..];
        var end = fields.IndexOf((byte)';');
        if (end < 0 || !fields.StartsWith("id="u8))
            return false;
        messageId = fields["id="u8.Length..end];
        return true;
    }

    /// <summary>CRC-32C (Castagnoli), which the processor computes.</summary>
    public static uint Checksum(ReadOnlySpan<byte> bytes)
    {
        var crc = uint.MaxValue;
        foreach (var one in bytes)
            crc = BitOperations.Crc32C(crc, one);
        return ~crc;
    }
}
