using PubSubOverWs.Stomp;

namespace PubSubOverWs.Relay;

/// <content>BEGIN, COMMIT and ABORT.</content>
internal sealed partial class StompSession
{
    // Null until there is one: an idle connection has little.
    private Dictionary<string, Transaction>? _transactions;

    private void Begin(in StompFrame frame)
    {
        var id = Require(frame, StompNames.Transaction);
        _transactions ??= [];
        if (_transactions.Count == Relay.Options.MaxTransactions)
            throw new StompException(
                $"More than {Relay.Options.MaxTransactions} open transactions (Relay:MaxTransactions): commit or abort one first.");
        var transaction = new Transaction();
        if (!_transactions.TryAdd(id, transaction))
            throw new StompException($"The transaction '{id}' is open already: commit or abort it before it begins again.");
        Keep(transaction.Held + MemoryBudget.SizeOf(id), "transactions");
    }

    private void Commit(in StompFrame frame, string? receipt)
    {
        var transaction = End(frame);
        if (receipt is not null)
            transaction.Receipts.Add(receipt);
        if (transaction.Messages.Count == 0)
        {
            Complete(transaction, null);
            return;
        }
        Publish(transaction.Messages, transaction.Held, receipt, transaction);
    }

    private void Abort(in StompFrame frame)
    {
        foreach (var receipt in End(frame).Receipts)
            Answer(receipt);
    }

    private void Complete(Transaction transaction, PublishOutcome? outcome)
    {
        foreach (var (subscription, number, isAck) in transaction.Acknowledgements)
            Settle(subscription, number, isAck);
        foreach (var receipt in transaction.Receipts)
            Answer(receipt, outcome);
    }

    private Transaction End(in StompFrame frame)
    {
        var transaction = Find(frame);
        var id = Require(frame, StompNames.Transaction);
        _transactions!.Remove(id);
        Forget(transaction.Held + MemoryBudget.SizeOf(id));
        return transaction;
    }

    private Transaction Find(in StompFrame frame)
    {
        var id = Require(frame, StompNames.Transaction);
        return _transactions is not null && _transactions.TryGetValue(id, out var transaction)
            ? transaction
            : throw new StompException($"The transaction '{id}' is not open: send BEGIN first.");
    }

    private void MakeRoom(Transaction transaction, Message? message, string? receipt)
    {
        if (transaction.Frames >= Relay.Options.MaxTransactionFrames)
            throw new StompException(
                $"The transaction holds {transaction.Frames} frames, the maximum (Relay:MaxTransactionFrames): commit smaller ones.");
        if (transaction.Count(message, receipt) is not { } more)
        {
            throw new StompException(
                $"The transaction holds more than {Transaction.MaxBytes} bytes, the limit for what goes together (a body counts 4 bytes "
                    + "for 3, as in the queue): commit smaller ones.");
        }
        Keep(more, "transactions");
    }
}

/// <summary>The frames of a client between BEGIN and COMMIT. They take effect on COMMIT, and are dropped on ABORT.</summary>
internal sealed class Transaction
{
    /// <summary>
    /// The queue's limit for one envelope, which carries the messages of a transaction together; receipts and acknowledgements count as
    /// well.
    /// </summary>
    public const int MaxBytes = 1024 * 1024;

    // Bytes of a frame in the lists, in addition to its message.
    private const int PerFrame = MemoryBudget.PerMessage;

    // The envelope's own, whatever way it takes.
    private const int PerEnvelope = 256;

    private int _bytes;
    private int _encoded = PerEnvelope;

    public List<Message> Messages { get; } = [];

    /// <summary>ACK (true) and NACK.</summary>
    public List<(Subscription? Subscription, long Number, bool IsAck)> Acknowledgements { get; } = [];

    /// <summary>Receipts of the frames within: answered when the outcome is known, so that <c>taken</c> never says too much.</summary>
    public List<string> Receipts { get; } = [];

    public int Frames => Messages.Count + Acknowledgements.Count;

    /// <summary>Its memory, in bytes.</summary>
    public long Held => PerFrame + _bytes + ((long)PerFrame * Frames);

    /// <summary>
    /// The additional memory with this frame in it, in bytes. Null: its frames together would have more than <see cref="MaxBytes"/>, in
    /// memory or encoded for the queue.
    /// </summary>
    public long? Count(Message? message, string? receipt)
    {
        var bytes = (message?.Size ?? 0) + MemoryBudget.SizeOf(receipt);
        var encoded = message?.MaxEncodedSize ?? 0;
        if (_bytes + bytes > MaxBytes || _encoded + encoded > MaxBytes)
            return null;
        _bytes += bytes;
        _encoded += encoded;
        return PerFrame + bytes;
    }
}
