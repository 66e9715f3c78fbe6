using System.Net.WebSockets;

namespace PubSubOverWs.Relay;

/// <summary>Why a session ends.</summary>
/// <param name="Status">What the close frame says.</param>
/// <param name="Reason">At most 123 bytes.</param>
/// <param name="Since">Time stamp of the relay's clock.</param>
internal sealed record Ending(WebSocketCloseStatus Status, string Reason, long Since);
