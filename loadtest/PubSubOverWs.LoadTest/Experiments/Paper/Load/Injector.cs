using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.Paper.Load;

/// <summary>
/// Injects the faults of one user between its connection and its log, and counts them in the ledger. Messages with a fault of the server
/// are passed on unchanged.
/// </summary>
/// <param name="faults">For each message of the user.</param>
/// <param name="stray">The payload of a message for another user.</param>
/// <param name="random">Chooses the byte that is changed.</param>
public sealed class Injector(
    ClientLog log, IReadOnlyList<InjectedFault> faults, byte[] stray, ServerWatch watch, Ledger ledger, Random random)
{
    private readonly Dictionary<string, int> _sequences = log.Messages.Select((message, i) => (message.Id, i)).ToDictionary();
    private (InjectedFault InjectedFault, KeptFrame Frame)? _held;

    /// <summary>Handles a frame of the server.</summary>
    /// <param name="stamp">Taken right after the receive.</param>
    public void Take(StompFrame frame, long stamp)
    {
        if (frame.Command == StompCommand.Message)
            TakeMessage(frame, stamp);
        else if (frame.Command == StompCommand.Receipt && Sequence(frame) is { } sequence)
            TakeReceipt(frame, sequence, stamp);
        else
            log.Take(frame, stamp);
    }

    /// <summary>The connection has ended, after all deadlines: passes on a delayed message.</summary>
    public void End(long stamp)
    {
        Release(stamp);
        watch.End();
    }

    private void TakeMessage(StompFrame frame, long stamp)
    {
        var own = Payload.TryRead(frame.Body, out var id) && _sequences.TryGetValue(Encoding.ASCII.GetString(id), out var sequence)
            ? sequence
            : (int?)null;
        if (!watch.Came(own, stamp))
        {
            log.Take(frame, stamp);
            return;
        }

        var action = faults[own!.Value];
        if (action is InjectedFault.Swap or InjectedFault.Delay)
        {
            _held = (action, KeptFrame.From(frame));
            return;
        }
        Do(action, frame, stamp);
        Release(stamp);
    }

    private void Do(InjectedFault action, StompFrame frame, long stamp)
    {
        switch (action)
        {
            case InjectedFault.Lose or InjectedFault.LoseWithReceipt or InjectedFault.Refuse:
                break;
            case InjectedFault.Corrupt:
                Corrupted(frame).GiveTo(log, stamp);
                break;
            default:
                log.Take(frame, stamp);
                break;
        }

        if (action == InjectedFault.Duplicate)
            log.Take(frame, stamp);
        if (action == InjectedFault.Misdirect)
            Stray(frame).GiveTo(log, stamp);
        if (action is not (InjectedFault.None or InjectedFault.LoseReceipt))
            ledger.Add(action);
    }

    // A delayed message is the user's last one, so that only the end releases it.
    private void Release(long stamp)
    {
        if (_held is not { } held)
            return;
        held.Frame.GiveTo(log, stamp);
        ledger.Add(held.InjectedFault);
        _held = null;
    }

    private void TakeReceipt(StompFrame frame, int sequence, long stamp)
    {
        watch.Answered(sequence, isTaken: frame.GetString("outcome"u8) is not ("shed" or "no-subscriber"));
        switch (faults[sequence])
        {
            case InjectedFault.LoseReceipt:
                ledger.Add(InjectedFault.LoseReceipt);
                break;
            case InjectedFault.LoseWithReceipt:
                break;
            case InjectedFault.Refuse:
                KeptFrame.From(frame, [], "outcome"u8, "shed"u8).GiveTo(log, stamp);
                break;
            default:
                log.Take(frame, stamp);
                break;
        }
    }

    private int? Sequence(StompFrame receipt) =>
        int.TryParse(receipt.GetString(StompNames.ReceiptId), NumberStyles.None, CultureInfo.InvariantCulture, out var sequence)
            && sequence < faults.Count
            ? sequence
            : null;

    private KeptFrame Stray(StompFrame frame)
    {
        Payload.TryRead(stray, out var id);
        return KeptFrame.From(frame, stray, StompNames.Id, id);
    }

    private KeptFrame Corrupted(StompFrame frame)
    {
        var body = frame.Body.ToArray();
        body[random.Next(body.Length)] ^= (byte)random.Next(1, 256);
        return KeptFrame.From(frame, body);
    }
}
