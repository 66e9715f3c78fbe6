namespace PubSubOverWs.Relay;

/// <summary>
/// The broker did not take the messages. The message text says what happened, to what, and what to do: it goes to the client.
/// </summary>
public sealed class BrokerRefusedException : Exception
{
    public BrokerRefusedException(string message)
        : base(message)
    {
    }

    public BrokerRefusedException(string message, Exception innerException)
        : base(message, innerException)
    {
    }
}
