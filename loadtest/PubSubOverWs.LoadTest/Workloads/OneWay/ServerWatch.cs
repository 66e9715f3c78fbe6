using System.Diagnostics;

namespace PubSubOverWs.LoadTest.Workloads.OneWay;

/// <summary>
/// Checks what one connection receives before faults are injected: what is missing, duplicated or out of order here is the server's fault,
/// not that of the accounting.
/// </summary>
/// <param name="messages">What the user sends.</param>
/// <param name="patience">From sent; a message that takes longer may be late without injection.</param>
/// <param name="ledger">Told of all that the server did.</param>
public sealed class ServerWatch(IReadOnlyList<OwnMessage> messages, TimeSpan patience, Ledger ledger)
{
    private readonly long?[] _came = new long?[messages.Count];
    private readonly bool[] _answered = new bool[messages.Count];
    private int _last = -1;

    /// <summary>True: the message is in order. False: the ledger has the reason, and no fault should be injected.</summary>
    /// <param name="sequence">Of the user's own message; null: it is not one, or is corrupted.</param>
    /// <param name="stamp">When.</param>
    public bool Came(int? sequence, long stamp)
    {
        if (sequence is not { } own)
            return Blame("brought what nobody here sent");
        if (_came[own] is not null)
            return Blame("brought again");
        _came[own] = stamp;
        if (own < _last)
            return Blame("brought out of order");
        _last = own;
        return true;
    }

    public void Answered(int sequence, bool isTaken)
    {
        _answered[sequence] = true;
        if (!isTaken)
            Blame("turned away");
    }

    /// <summary>Nothing more will come.</summary>
    public void End()
    {
        for (var i = 0; i < messages.Count; i++)
        {
            if (!_answered[i])
                Blame("never answered");
            if (_came[i] is not { } came)
                Blame("never brought");
            else if (messages[i].SentAt is { } sent && Stopwatch.GetElapsedTime(sent, came) > patience)
                Blame("brought slowly");
        }
    }

    private bool Blame(string what)
    {
        ledger.NotOurs(what);
        return false;
    }
}
