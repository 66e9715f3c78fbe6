namespace PubSubOverWs.LoadTest.Nodes;

/// <summary>What became of the queues' messages.</summary>
/// <param name="Messages">How many there were to publish.</param>
/// <param name="Acknowledged">Messages whose publisher heard that they were taken.</param>
/// <param name="Delivered">Of those, how many came at least once.</param>
/// <param name="PublishedAgain">Messages that the killed node had not answered.</param>
/// <param name="Arrivals">All that came, copies too.</param>
/// <param name="Distinct">Different messages that came.</param>
/// <param name="Unexpected">Arrivals that are none of the messages.</param>
/// <param name="Took">From the first publish to the last arrival.</param>
public sealed record KillFigures(
    int Nodes, int Messages, int Acknowledged, int Delivered, int PublishedAgain, long Arrivals, int Distinct, long Unexpected,
    TimeSpan Took)
{
    public long Duplicates => Arrivals - Distinct - Unexpected;

    /// <summary>All were acknowledged, and all of them came.</summary>
    public bool IsProof => Acknowledged == Messages && Delivered == Messages && Distinct == Messages && Unexpected == 0;
}
