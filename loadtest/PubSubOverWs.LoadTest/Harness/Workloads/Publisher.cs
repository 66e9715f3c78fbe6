using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness.Clients;

namespace PubSubOverWs.LoadTest.Harness.Workloads;

/// <summary>Publishes one user's messages when they are due, with receipts; after a reconnect it sends those without one again.</summary>
/// <param name="targets">See <see cref="ReturningClient"/>.</param>
/// <param name="sends">The SEND of each message; the id of its receipt is its sequence, from 0.</param>
/// <param name="guard">Protects the client log.</param>
public sealed class Publisher(
    IReadOnlyList<ClientTarget> targets, Backoff backoff, TimeSpan connectTimeout, int mostUnanswered, ClientLog log, byte[][] sends,
        Lock guard)
    : ReturningClient(targets, backoff, connectTimeout)
{
    /// <summary>The most publishes of one user without a receipt: as many as our servers accept from one connection.</summary>
    public const int DefaultUnanswered = 64;

    // Of all unanswered messages together: a send then fits the socket's buffer and never delays those of other users.
    private const int MaxBytesUnanswered = 65_536;

    /// <summary>How many messages of this size may be unanswered: at least 1, however large they are.</summary>
    internal static int UnansweredOf(int bytes, int most) => Math.Clamp(MaxBytesUnanswered / bytes, 1, most);

    private static readonly ConnectFailure Away = new(Cause.SendError, "its publisher was away");
    private static readonly ConnectFailure Waited = new(Cause.SendError, "its publisher waited for the answers to others");

    private readonly PublishOrder _order = new(sends.Length, UnansweredOf(sends.Max(send => send.Length), mostUnanswered));
    private readonly TaskCompletionSource _allAnswered = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private StompConnection? _here;
    private bool _stopped;

    /// <summary>How often a message was sent again for lack of an answer.</summary>
    public int Republished { get; private set; }

    /// <summary>One more message is due: it is sent at once, or as soon as this publisher has reconnected.</summary>
    public void BecomesDue()
    {
        lock (guard)
        {
            _order.BecomesDue();
            SendDue();
        }
    }

    /// <summary>Sends nothing more, waits for the answers unless the connection is lost, and leaves.</summary>
    public async Task StopAsync()
    {
        ConnectFailure why;
        lock (guard)
        {
            // Leaving ends a connect under way with a failure of its own.
            why = _here is null ? LastFailure ?? Away : Waited;
            _stopped = true;
            CompleteIfAnswered();
        }
        await _allAnswered.Task;
        Leave();
        lock (guard)
        {
            foreach (var never in log.Messages.Where(message => message.SentAt is null))
                never.Refusal ??= why;
        }
    }

    protected override Task<ConnectFailure?> GreetAsync(StompConnection connection) => Task.FromResult<ConnectFailure?>(null);

    protected override void Arrived(StompConnection connection)
    {
        lock (guard)
        {
            _here = connection;
            _order.StartOver();
            SendDue();
        }
    }

    protected override void Lost(string? why)
    {
        lock (guard)
        {
            _here = null;
            log.Fail(new ConnectFailure(Cause.ServerClosed, why ?? "a publisher lost its connection"));
            CompleteIfAnswered();
        }
    }

    protected override void Take(StompConnection connection, StompFrame frame, long stamp)
    {
        lock (guard)
        {
            log.Take(frame, stamp);
            if (frame.Command != StompCommand.Receipt || !frame.TryGet(StompNames.ReceiptId, out var id)
                || !int.TryParse(id, NumberStyles.None, CultureInfo.InvariantCulture, out var sequence) || sequence >= sends.Length)
                return;
            _order.Answered(sequence);
            SendDue();
            CompleteIfAnswered();
        }
    }

    // A failed send is not a loss yet: the listener sees the connection end, and unanswered messages are sent again.
    private void SendDue()
    {
        while (!_stopped && _here is { } connection && _order.TryNext(out var sequence))
        {
            var message = log.Messages[sequence];
            var now = Stopwatch.GetTimestamp();
            if (!connection.TrySend(sends[sequence]))
                return;
            message.LastSentAt = now;
            if (message.SentAt is null)
                message.SentAt = now;
            else
                Republished++;
        }
    }

    private void CompleteIfAnswered()
    {
        if (_stopped && (_here is null || _order.Unanswered == 0))
            _allAnswered.TrySetResult();
    }
}
