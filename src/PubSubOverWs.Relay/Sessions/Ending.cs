using System.Net.WebSockets;
using System.Text;

namespace PubSubOverWs.Relay;

/// <summary>Why a session ends.</summary>
/// <param name="status">What the close frame says.</param>
/// <param name="reason">Cut to the length that a close frame has room for.</param>
/// <param name="isInOrder">
/// The client said DISCONNECT, or the server stops: the close frame waits until every publish under way has its outcome, and that is told.
/// </param>
internal sealed class Ending(WebSocketCloseStatus status, string reason, bool isInOrder)
{
    // RFC 6455, 5.5 and 5.5.1.
    private const int MaxReasonBytes = 123;

    public WebSocketCloseStatus Status { get; } = status;

    public string Reason { get; } = Cut(reason);

    public bool IsInOrder { get; } = isInOrder;

    private static string Cut(string reason)
    {
        while (Encoding.UTF8.GetByteCount(reason) > MaxReasonBytes)
            reason = reason[..^(char.IsLowSurrogate(reason[^1]) ? 2 : 1)];
        return reason;
    }
}
