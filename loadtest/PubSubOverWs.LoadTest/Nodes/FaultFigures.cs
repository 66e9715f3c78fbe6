namespace PubSubOverWs.LoadTest.Nodes;

/// <summary>What became of the messages while something was wrong with one node.</summary>
/// <param name="Messages">How many there were to publish, to the topic and to queues each.</param>
/// <param name="Subscribers">Of the topic.</param>
/// <param name="Taken">Messages to the topic whose publisher heard that they were taken.</param>
/// <param name="Arrived">Of the copies that are due, one for each of those and each subscriber: how many came.</param>
/// <param name="Told">Copies that did not come, whose subscriber was disconnected and so told that it may miss some.</param>
/// <param name="Untold">Copies that did not come, and nobody said so.</param>
/// <param name="Disconnected">Subscribers of the topic whose connection a node ended.</param>
/// <param name="TopicTwice">Copies beyond the first.</param>
/// <param name="Acknowledged">Messages to queues whose publisher heard that they were taken.</param>
/// <param name="Delivered">Of those, how many came at least once.</param>
/// <param name="QueueTwice">Arrivals beyond the first of a message.</param>
/// <param name="Again">Messages that were published again, because they were not answered.</param>
/// <param name="Unexpected">Arrivals that are none of the messages.</param>
/// <param name="ReadyAfter">From the end of the fault until the node is ready; null: it was not, as long as one looked.</param>
/// <param name="Took">From the first publish to the last arrival.</param>
public sealed record FaultFigures(
    int Messages, int Subscribers, int Taken, long Arrived, long Told, long Untold, int Disconnected, long TopicTwice, int Acknowledged,
    int Delivered, long QueueTwice, int Again,
    long Unexpected, TimeSpan? ReadyAfter, TimeSpan Took)
{
    public bool IsProof =>
        Untold == 0 && Taken == Messages && Acknowledged == Messages && Delivered == Acknowledged && Unexpected == 0
            && ReadyAfter is not null;
}
