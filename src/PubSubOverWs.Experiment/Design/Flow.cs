namespace PubSubOverWs.Experiment.Design;

/// <summary>A stream of messages from one role to another, with buckets and a latency of its own.</summary>
/// <param name="Name">Its column in files; where a scenario has several, gates and the files in latency/ name it.</param>
/// <param name="From">The role that sends.</param>
/// <param name="To">The role that it is meant for.</param>
/// <param name="Latency">From when on its latency counts.</param>
/// <param name="Judged">False: shown, and in no sum that tables, gates and claims use.</param>
public sealed record Flow(string Name, string From, string To, LatencyFrom Latency, bool Judged = true)
{
    /// <summary>The only flow of a scenario whose messages all go one way.</summary>
    public static Flow Message(Arrival arrival) =>
        new("message", "publisher", "subscriber", arrival.IsBurst ? LatencyFrom.Sent : LatencyFrom.Due);
}

/// <summary>From when on the latency of a flow counts.</summary>
public enum LatencyFrom
{
    /// <summary>From the intended send: in open-loop work, where a stall of the sender is part of the latency.</summary>
    Due,

    /// <summary>From the real send: in a burst, where everything is due at once and the sender needs a while to get it out.</summary>
    Sent,
}
