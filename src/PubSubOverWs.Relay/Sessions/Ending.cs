using System.Net.WebSockets;
using System.Text;

namespace PubSubOverWs.Relay;

/// <summary>Why a session ends.</summary>
/// <param name="status">The status of the close frame.</param>
/// <param name="reason">Cut to what a close frame has room for.</param>
/// <param name="answersFirst">The close frame waits until every publish under way has its outcome, and that is told.</param>
internal sealed class Ending(WebSocketCloseStatus status, string reason, bool answersFirst)
{
    // RFC 6455, 5.5 and 5.5.1.
    private const int MaxReasonBytes = 123;

    public WebSocketCloseStatus Status { get; } = status;

    public string Reason { get; } = Cut(reason);

    public bool AnswersFirst { get; } = answersFirst;

    private static string Cut(string reason)
    {
        while (Encoding.UTF8.GetByteCount(reason) > MaxReasonBytes)
            reason = reason[..^(char.IsLowSurrogate(reason[^1]) ? 2 : 1)];
        return reason;
    }
}
