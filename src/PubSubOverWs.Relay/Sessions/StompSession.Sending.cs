using System.Text;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.Relay;

/// <content>SEND and transactions.</content>
internal sealed partial class StompSession
{
    private readonly Dictionary<string, Transaction> _transactions = [];
    private string? _lastDestination;
    private long _lastMinted;

    private void Send(in StompFrame frame, string? receipt)
    {
        CountAgainstRate();
        var message = ReadMessage(frame);
        if (!frame.TryGet(StompNames.Transaction, out _))
        {
            Publish(
                [message], MemoryBudget.Of(message) + MemoryBudget.Of(receipt),
                outcome => Answer(receipt, outcome), refusal => FailAtOnce(refusal.Message, receipt));
            return;
        }
        var transaction = Find(frame);
        MakeRoom(transaction, message, receipt);
        transaction.Messages.Add(message);
        if (receipt is not null)
            transaction.Receipts.Add(receipt);
    }

    private void Begin(in StompFrame frame)
    {
        var id = Require(frame, StompNames.Transaction);
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
        Publish(
            transaction.Messages, transaction.Held,
            outcome => Complete(transaction, outcome), refusal => FailAtOnce(refusal.Message, receipt));
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
        _transactions.Remove(id);
        Forget(transaction.Held + MemoryBudget.Of(id));
        return transaction;
    }

    private Transaction Find(in StompFrame frame)
    {
        var id = Require(frame, StompNames.Transaction);
        return _transactions.TryGetValue(id, out var transaction)
            ? transaction
            : throw new StompException($"The transaction '{id}' is not open: send BEGIN first.");
    }

    private void MakeRoom(Transaction transaction, Message? message, string? receipt)
    {
        if (transaction.Frames >= Relay.Options.MaxTransactionFrames)
            throw new StompException(
                $"The transaction holds {transaction.Frames} frames, the most it may (Relay:MaxTransactionFrames): commit smaller ones.");
        if (transaction.Count(message, receipt) is not { } more)
        {
            throw new StompException(
                $"The transaction holds more than {Transaction.MaxBytes} bytes, the limit for what goes together: commit smaller ones.");
        }
        Keep(more, "transactions");
    }

    private Message ReadMessage(in StompFrame frame)
    {
        var id = frame.GetString(StompNames.Id) ?? $"{Connection.Id}-{++_lastMinted}";
        return new Message(id, ReadDestination(frame), ReadHeaders(frame), frame.Body.ToArray(), IsTextInput);
    }

    // Clients tend to send to one place: its name is kept, rather than made anew for each message.
    private string ReadDestination(in StompFrame frame)
    {
        if (_lastDestination is not null && frame.TryGet(StompNames.Destination, out var name) && Ascii.Equals(name, _lastDestination))
            return _lastDestination;
        var destination = RequireDestination(frame);
        if (_user is { } user && !user.MayPublish(destination))
            throw Forbidden("publish", destination);
        return _lastDestination = destination;
    }

    private StompException Forbidden(string what, string destination) => new(
        $"The user '{_user!.Login}' may not {what} to '{destination}': choose another destination, or have a prefix of it added to the "
            + "user's entry in the file of users.");

    private static string RequireDestination(in StompFrame frame)
    {
        var destination = Require(frame, StompNames.Destination);
        return DestinationName.IsOpen(destination)
            ? destination
            : throw new StompException($"The destination '{destination}' is neither /queue/NAME nor /topic/NAME.");
    }

    private static KeyValuePair<string, string>[] ReadHeaders(in StompFrame frame)
    {
        List<KeyValuePair<string, string>>? headers = null;
        for (var i = 0; i < frame.HeaderCount; i++)
        {
            // Of repeated headers the first counts.
            if (StaysHere(frame.Name(i)) || !frame.TryGet(frame.Name(i), out var first) || first != frame.Value(i))
                continue;
            (headers ??= []).Add(new(Encoding.UTF8.GetString(frame.Name(i)), Encoding.UTF8.GetString(frame.Value(i))));
        }
        return headers is null ? [] : [.. headers];
    }

    private static bool StaysHere(ReadOnlySpan<byte> name) =>
        name.SequenceEqual(StompNames.Destination) || name.SequenceEqual(StompNames.Id) || name.SequenceEqual(StompNames.ContentLength)
        || name.SequenceEqual(StompNames.Receipt) || name.SequenceEqual(StompNames.Transaction) || name.SequenceEqual(StompNames.MessageId)
        || name.SequenceEqual(StompNames.Subscription) || name.SequenceEqual(StompNames.Ack) || name.SequenceEqual(StompNames.Redelivered)
        || name.SequenceEqual(StompNames.Missed);
}
