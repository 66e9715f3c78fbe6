namespace PubSubOverWs.Stomp;

/// <summary>A frame is malformed or beyond a limit. The message is one sentence that can go to the peer in an ERROR frame.</summary>
public sealed class StompException : Exception
{
    public StompException()
    {
    }

    public StompException(string message)
        : base(message)
    {
    }

    public StompException(string message, Exception innerException)
        : base(message, innerException)
    {
    }

    public StompException(string message, string? receiptId)
        : base(message) => ReceiptId = receiptId;

    /// <summary>The <c>receipt</c> header of the frame at fault, when it had one before the fault; an ERROR answers with it.</summary>
    public string? ReceiptId { get; }
}
