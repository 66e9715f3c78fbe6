using System.Diagnostics;

namespace PubSubOverWs.LoadTest.Workloads.OneWay;

/// <summary>
/// Looks at what one connection brings before anything is done to it: what is missing, double or out of order here is the server's doing,
/// and not to be laid on the accounting.
/// </summary>
/// <param name="messages">What the user sends.</param>
/// <param name="patience">From sent; what takes longer may come too late without our doing.</param>
/// <param name="ledger">Told of all that the server did.</param>
public sealed class ServerWatch(IReadOnlyList<OwnMessage> messages, TimeSpan patience, Ledger ledger)
{
    private readonly long?[] _came = new long?[messages.Count];
    private readonly bool[] _answered = new bool[messages.Count];
    private int _last = -1;

    /// <summary>True: it came as it should. Else the ledger knows, and nothing should be done to it.</summary>
    /// <param name="sequence">Which of the user's own messages it is; null: none, or it came changed.</param>
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
