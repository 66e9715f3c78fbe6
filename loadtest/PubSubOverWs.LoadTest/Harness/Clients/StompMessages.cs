using System.Buffers;

namespace PubSubOverWs.LoadTest.Harness.Clients;

/// <summary>The frames of a user, each as one WebSocket text message, built before anything is timed.</summary>
public static class StompMessages
{
    private const uint Mask = 0x5A17C3E9;

    /// <summary>The header that names where an answer is expected. No server here reads it; RabbitMQ uses the same name.</summary>
    public static ReadOnlySpan<byte> ReplyTo => "reply-to"u8;

    /// <summary>Without heart-beats: a user lives for seconds.</summary>
    /// <param name="host">Required by the specification.</param>
    public static byte[] Connect(string host, ServerAccess access) => Frame((ref StompWriter writer) =>
    {
        writer.Begin(StompCommand.Connect);
        writer.Header(StompNames.AcceptVersion, "1.2"u8);
        writer.Header(StompNames.Host, host);
        if (access is { Login: { } login, Passcode: { } passcode })
        {
            writer.Header(StompNames.Login, login);
            writer.Header(StompNames.Passcode, passcode.Value);
        }
        writer.End();
    });

    /// <param name="id">Of the subscription, and of its receipt.</param>
    /// <param name="prefetch">The most unacknowledged messages; null: the server's default.</param>
    public static byte[] Subscribe(
        string id, string destination, string ack = "auto", int? prefetch = null) => Frame((ref StompWriter writer) =>
    {
        writer.Begin(StompCommand.Subscribe);
        writer.Header(StompNames.Id, id);
        writer.Header(StompNames.Destination, destination);
        writer.Header(StompNames.Ack, ack);
        if (prefetch is { } most)
            writer.Header(StompNames.PrefetchCount, most);
        writer.Header(StompNames.Receipt, id);
        writer.End();
    });

    /// <param name="id">The <c>ack</c> header of the MESSAGE.</param>
    public static byte[] Ack(ReadOnlySpan<byte> id) => Answer(StompCommand.Ack, id);

    /// <inheritdoc cref="Ack"/>
    public static byte[] Nack(ReadOnlySpan<byte> id) => Answer(StompCommand.Nack, id);

    public static byte[] Begin(string transaction) => OfTransaction(StompCommand.Begin, transaction);

    public static byte[] Commit(string transaction) => OfTransaction(StompCommand.Commit, transaction);

    /// <param name="messageId">The application id, which the server passes on.</param>
    /// <param name="receipt">Requests a receipt with this id; null: none.</param>
    public static byte[] Send(
        string destination, string messageId, byte[] body, string? receipt, string? transaction = null) => Frame((ref StompWriter writer) =>
    {
        writer.Begin(StompCommand.Send);
        writer.Header(StompNames.Destination, destination);
        writer.Header(StompNames.Id, messageId);
        writer.Header(StompNames.ContentLength, body.Length);
        if (receipt is not null)
            writer.Header(StompNames.Receipt, receipt);
        if (transaction is not null)
            writer.Header(StompNames.Transaction, transaction);
        writer.End(body);
    });

    /// <summary>SEND without an id of its own: what names the message is in its body.</summary>
    /// <param name="replyTo">Where an answer is expected; null: none is.</param>
    public static byte[] Send(string destination, string? replyTo, ReadOnlyMemory<byte> body) => Frame((ref StompWriter writer) =>
    {
        writer.Begin(StompCommand.Send);
        writer.Header(StompNames.Destination, destination);
        if (replyTo is not null)
            writer.Header(ReplyTo, replyTo);
        writer.Header(StompNames.ContentLength, body.Length);
        writer.End(body.Span);
    });

    /// <summary>DISCONNECT and a close frame: the server closes the socket when it has read them.</summary>
    public static byte[] Leave() =>
    [
        .. Frame((ref StompWriter writer) =>
        {
            writer.Begin(StompCommand.Disconnect);
            writer.End();
        }),
        .. ClientFrames.Write(Opcodes.Close, ClientFrames.NormalClosure, Mask),
    ];

    private static byte[] OfTransaction(StompCommand command, string transaction) => Frame((ref StompWriter writer) =>
    {
        writer.Begin(command);
        writer.Header(StompNames.Transaction, transaction);
        writer.End();
    });

    private static byte[] Answer(StompCommand command, ReadOnlySpan<byte> id)
    {
        var output = new ArrayBufferWriter<byte>(64);
        var writer = new StompWriter(output, StompVersion.V12);
        writer.Begin(command);
        writer.Header(StompNames.Id, id);
        writer.End();
        return ClientFrames.Write(Opcodes.Text, output.WrittenSpan, Mask);
    }

    private delegate void Writing(ref StompWriter writer);

    private static byte[] Frame(Writing write)
    {
        var output = new ArrayBufferWriter<byte>(512);
        var writer = new StompWriter(output, StompVersion.V12);
        write(ref writer);
        return ClientFrames.Write(Opcodes.Text, output.WrittenSpan, Mask);
    }
}
