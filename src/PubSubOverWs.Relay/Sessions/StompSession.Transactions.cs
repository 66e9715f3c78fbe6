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
        Keep(transaction.Held + MemoryBudget.Of(id), "transactions");
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
        Forget(transaction.Held + MemoryBudget.Of(id));
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
