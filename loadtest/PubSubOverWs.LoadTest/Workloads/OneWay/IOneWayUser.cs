namespace PubSubOverWs.LoadTest.Workloads.OneWay;

/// <summary>One user of the paper, or of the faults: it sends messages to itself, each when that is due.</summary>
public interface IOneWayUser : IParticipant
{
    /// <summary>Whole once the user has left.</summary>
    ClientLog Log { get; }

    /// <summary>How its connections came back; whole once it has left.</summary>
    Returns Returns { get; }

    /// <summary>A message is due; nothing happens when this user is not in. Never waits.</summary>
    /// <param name="sequence">From 0, each once and in order.</param>
    void Send(int sequence);
}
