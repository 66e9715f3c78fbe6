namespace PubSubOverWs.Stomp;

/// <summary>The commands of STOMP 1.0 to 1.2. Client frames first, server frames from <see cref="Connected"/> on.</summary>
public enum StompCommand
{
    Connect,
    Stomp,
    Send,
    Subscribe,
    Unsubscribe,
    Ack,
    Nack,
    Begin,
    Commit,
    Abort,
    Disconnect,
    Connected,
    Message,
    Receipt,
    Error,
}
