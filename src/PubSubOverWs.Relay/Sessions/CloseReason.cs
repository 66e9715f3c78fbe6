using System.Text;

namespace PubSubOverWs.Relay;

/// <summary>A close frame has room for 123 bytes of reason (RFC 6455, 5.5 and 5.5.1).</summary>
internal static class CloseReason
{
    private const int MaxBytes = 123;

    public static string Fit(string reason)
    {
        while (Encoding.UTF8.GetByteCount(reason) > MaxBytes)
            reason = reason[..^(char.IsLowSurrogate(reason[^1]) ? 2 : 1)];
        return reason;
    }
}
