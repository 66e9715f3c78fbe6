using System.Text;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.LoadTest.Load.Clients;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.LoadTest.Load.Iterations;

/// <summary>
/// What one user keeps of its message and of all that came: stamps and facts, in the order of arrival. Conclusions are drawn from it when
/// the load has ended. Stamps are of <see cref="System.Diagnostics.Stopwatch"/>.
/// </summary>
/// <param name="messageId">The user's message.</param>
/// <param name="waiting">Told once, when there is nothing more to wait for.</param>
public sealed class Logbook(string messageId, Countdown waiting)
{
    private readonly byte[] _messageIdBytes = Encoding.ASCII.GetBytes(messageId);
    private readonly List<Arrived> _arrived = new(1);
    private bool _done;

    public string MessageId { get; } = messageId;

    /// <summary>When the message was handed to the socket; null: it never was.</summary>
    public long? SentAt { get; set; }

    /// <summary>When the answer to the SEND came, whatever it said.</summary>
    public long? ReceiptAt { get; private set; }

    /// <summary>The receipt said that the broker had taken it.</summary>
    public bool Taken { get; private set; }

    /// <summary>Every message that came, expected or not.</summary>
    public IReadOnlyList<Arrived> Arrived => _arrived;

    /// <summary>The first thing that went wrong; null: nothing.</summary>
    public ConnectFailure? Failure { get; private set; }

    /// <summary>Takes note of a frame.</summary>
    /// <param name="frame">MESSAGE, RECEIPT or ERROR; SEND is what an echo returns.</param>
    /// <param name="stamp">Taken right after the receive.</param>
    public void Take(StompFrame frame, long stamp)
    {
        switch (frame.Command)
        {
            case StompCommand.Message or StompCommand.Send:
                TakeMessage(frame, stamp);
                break;
            case StompCommand.Receipt:
                TakeReceipt(frame, stamp);
                break;
            case StompCommand.Error:
                Fail(new ConnectFailure(Cause.ServerClosed, $"ERROR {frame.GetString(StompNames.Message)}"));
                break;
        }
    }

    public void Fail(ConnectFailure failure) => Failure ??= failure;

    /// <summary>There is nothing more to wait for.</summary>
    public void GiveUp()
    {
        if (_done)
            return;
        _done = true;
        waiting.Signal();
    }

    private void TakeMessage(StompFrame frame, long stamp)
    {
        var whole = Payload.TryRead(frame.Body, out var inside);
        var named = frame.TryGet(StompNames.Id, out var header) ? header : inside;
        var intact = whole && named.SequenceEqual(inside);
        var own = named.SequenceEqual(_messageIdBytes);
        _arrived.Add(new Arrived(own ? MessageId : Encoding.UTF8.GetString(named), stamp, intact));
        if (own && intact)
            GiveUp();
    }

    private void TakeReceipt(StompFrame frame, long stamp)
    {
        ReceiptAt = stamp;
        var outcome = frame.GetString("outcome"u8);
        var cause = outcome switch
        {
            "no-subscriber" => Cause.NoSubscriber,
            "shed" => Cause.Shed,
            _ => Cause.None,
        };
        Taken = cause == Cause.None;
        if (Taken)
            return;
        Fail(new ConnectFailure(cause, $"the receipt said {outcome}"));
        GiveUp();
    }
}
