namespace PubSubOverWs.LoadTest.Nodes;

/// <summary>What became of the topic's messages.</summary>
/// <param name="Messages">How many there were to publish.</param>
/// <param name="Taken">Messages whose publisher heard that they were taken.</param>
/// <param name="Complete">Subscribers that got every message.</param>
/// <param name="Missing">Messages that did not come, over all subscribers.</param>
/// <param name="Duplicates">Copies beyond the first, over all subscribers.</param>
/// <param name="Unexpected">Arrivals that are none of the messages.</param>
/// <param name="Took">From the first publish to the last arrival.</param>
public sealed record TopicFigures(
    int Nodes, int Subscribers, int Messages, int Taken, int Complete, long Missing, long Duplicates, long Unexpected, TimeSpan Took)
{
    public bool IsProof => Taken == Messages && Complete == Subscribers && Missing == 0 && Unexpected == 0;
}
