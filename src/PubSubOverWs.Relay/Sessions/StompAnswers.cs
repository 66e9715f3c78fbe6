using System.Text;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.Relay;

/// <summary>The frames that a server sends besides MESSAGE, as ready bytes.</summary>
internal static class StompAnswers
{
    public static readonly byte[] HeartBeat = "\n"u8.ToArray();

    /// <param name="broker">Its name: a client that is told it knows what the server keeps (docs/decisions/0010).</param>
    public static byte[] Connected(StompVersion version, string broker, string session, TimeSpan sends, TimeSpan wants)
    {
        var buffer = new PooledBuffer();
        var writer = new StompWriter(buffer, version);
        writer.Begin(StompCommand.Connected);
        writer.Header(StompNames.Version, Name(version));
        if (version != StompVersion.V10)
            writer.Header(StompNames.HeartBeat, $"{(long)sends.TotalMilliseconds},{(long)wants.TotalMilliseconds}");
        writer.Header(StompNames.Server, $"PubSubOverWs ({broker})");
        writer.Header(StompNames.Session, session);
        writer.End();
        return Take(buffer);
    }

    /// <param name="outcome">For what was published: what became of it; null for other frames.</param>
    public static byte[] Receipt(StompVersion version, string receiptId, PublishOutcome? outcome)
    {
        var buffer = new PooledBuffer();
        var writer = new StompWriter(buffer, version);
        writer.Begin(StompCommand.Receipt);
        writer.Header(StompNames.ReceiptId, receiptId);
        if (outcome is { } known)
            writer.Header("outcome"u8, Name(known));
        writer.End();
        return Take(buffer);
    }

    /// <param name="summary">The <c>message</c> header: one line that says what happened, to what, and what to do.</param>
    /// <param name="versions">Only when no common version was found: the versions known here.</param>
    public static byte[] Error(StompVersion version, string summary, string? receiptId, string? versions = null)
    {
        var buffer = new PooledBuffer();
        var writer = new StompWriter(buffer, version);
        writer.Begin(StompCommand.Error);
        writer.Header(StompNames.Message, summary);
        if (receiptId is not null)
            writer.Header(StompNames.ReceiptId, receiptId);
        if (versions is not null)
            writer.Header(StompNames.Version, versions);
        var body = Encoding.UTF8.GetBytes(summary);
        writer.Header(StompNames.ContentType, "text/plain");
        writer.Header(StompNames.ContentLength, body.Length);
        writer.End(body);
        return Take(buffer);
    }

    private static string Name(StompVersion version) => version switch
    {
        StompVersion.V10 => "1.0",
        StompVersion.V11 => "1.1",
        _ => "1.2",
    };

    private static string Name(PublishOutcome outcome) => outcome switch
    {
        PublishOutcome.Taken => "taken",
        PublishOutcome.NoSubscriber => "no-subscriber",
        _ => "shed",
    };

    private static byte[] Take(PooledBuffer buffer)
    {
        var bytes = buffer.Span.ToArray();
        buffer.Release();
        return bytes;
    }
}
