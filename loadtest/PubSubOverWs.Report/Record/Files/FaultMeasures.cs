namespace PubSubOverWs.Record.Files;

/// <summary>The measures of the workload <c>pairs</c> on the offline time of its clients.</summary>
public static class FaultMeasures
{
    public static Measure FaultActions { get; } = new(
        "faultActions", "", "fault actions that were carried out; each is an event of its own");

    public static Measure SubscriberWindows { get; } = new("subscriberWindows", "", "times that a subscriber was away");

    public static Measure SubscriberAwayMean { get; } = new(
        "subscriberAwayMeanUs", "us", "of the windows that ended: from the loss of the connection until it was subscribed again");

    public static Measure SubscriberAwayMax { get; } = new("subscriberAwayMaxUs", "us", "the longest of these");

    public static Measure PublisherWindows { get; } = new("publisherWindows", "", "times that a publisher was away");

    public static Measure PublisherAwayMean { get; } = new("publisherAwayMeanUs", "us", "until it was connected again");

    public static Measure NeverBack { get; } = new("neverBack", "", "windows of either that had not ended when the iteration did");

    public static Measure PredictedLost { get; } = new(
        "predictedLost", "messages", "published while their subscriber was away: what an arm that stores nothing loses");

    public static Measure Republished { get; } = new(
        "republished", "messages", "published again, with the same id, because they had no receipt");

    public static Measure LateWhileAway { get; } = new(
        "lateWhileAway", "messages",
        "of the late sends those that were due while their publisher was away, and sent within 20 ms of its return");

    /// <summary>In the order in which they are written.</summary>
    public static IReadOnlyList<Measure> All { get; } =
    [
        FaultActions, SubscriberWindows, SubscriberAwayMean, SubscriberAwayMax, PublisherWindows, PublisherAwayMean, NeverBack,
        PredictedLost, Republished, LateWhileAway,
    ];
}
