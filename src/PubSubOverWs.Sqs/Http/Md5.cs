using System.Buffers;
using System.Security.Cryptography;

namespace PubSubOverWs.Sqs;

/// <summary>The checksum of bodies in SQS: MD5, against accidents, not against attackers.</summary>
internal static class Md5
{
    public const int Bytes = MD5.HashSizeInBytes;

    /// <summary>As the SDK has it: 32 hexadecimal digits; anything else is no checksum, and passes.</summary>
    public static bool Matches(ReadOnlySpan<byte> body, string? digits)
    {
        Span<byte> md5 = stackalloc byte[Bytes];
        return digits is null
            || Convert.FromHexString(digits, md5, out _, out var written) != OperationStatus.Done || written != Bytes
            || Matches(body, md5);
    }

    public static bool Matches(ReadOnlySpan<byte> body, ReadOnlySpan<byte> md5)
    {
        Span<byte> own = stackalloc byte[Bytes];
#pragma warning disable CA5351 // Not our choice: the protocol's.
        MD5.HashData(body, own);
#pragma warning restore CA5351
        return own.SequenceEqual(md5);
    }
}
