using System.Security.Cryptography;
using System.Text;

namespace PubSubOverWs.Tests.Sqs;

internal static class Checksum
{
#pragma warning disable CA5351 // The protocol names it: a checksum, not a protection.
    /// <summary>MD5 in lower-case hexadecimal digits.</summary>
    public static string Of(string text) => Convert.ToHexStringLower(MD5.HashData(Encoding.UTF8.GetBytes(text)));
#pragma warning restore CA5351
}
