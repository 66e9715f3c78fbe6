using System.Net.WebSockets;

namespace PubSubOverWs.Relay;

/// <summary>Why a session ends.</summary>
/// <param name="Status">What the close frame says.</param>
/// <param name="Reason">At most 123 bytes.</param>
/// <param name="AnswersFirst">The close frame waits until every publish under way has its outcome, and that is told.</param>
internal sealed record Ending(WebSocketCloseStatus Status, string Reason, bool AnswersFirst);
