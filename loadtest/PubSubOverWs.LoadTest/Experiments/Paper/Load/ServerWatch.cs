using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.Paper.Load;

/// <summary>
/// Checks what one connection receives before faults are injected: missing, duplicate or reordered messages here are faults of the server,
/// not of the accounting.
/// </summary>
/// <param name="messages">The user's own.</param>
/// <param name="patience">From the send; a message that takes longer may be late without injection.</param>
public sealed class ServerWatch(IReadOnlyList<OwnMessage> messages, TimeSpan patience, Ledger ledger)
{
    private readonly long?[] _came = new long?[messages.Count];
    private readonly bool[] _answered = new bool[messages.Count];
    private int _last = -1;

    /// <summary>True: the message is in order. False: the ledger has the reason, and no fault should be injected.</summary>
    /// <param name="sequence">Of the user's own message; null: it is not one, or it is corrupted.</param>
    public bool Came(int? sequence, long stamp)
    {
        if (sequence is not { } own)
            return Blame("delivered an unknown message");
        if (_came[own] is not null)
            return Blame("delivered twice");
        _came[own] = stamp;
        if (own < _last)
            return Blame("delivered out of order");
        _last = own;
        return true;
    }

    public void Answered(int sequence, bool isTaken)
    {
        _answered[sequence] = true;
        if (!isTaken)
            Blame("refused");
    }

    /// <summary>Nothing more will arrive.</summary>
    public void End()
    {
        for (var i = 0; i < messages.Count; i++)
        {
            if (!_answered[i])
                Blame("never answered");
            if (_came[i] is not { } came)
                Blame("never delivered");
            else if (messages[i].SentAt is { } sent && Stopwatch.GetElapsedTime(sent, came) > patience)
                Blame("delivered slowly");
        }
    }

    private bool Blame(string what)
    {
        ledger.AddNotInjected(what);
        return false;
    }
}
