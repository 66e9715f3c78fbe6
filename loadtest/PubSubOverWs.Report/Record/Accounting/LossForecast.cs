namespace PubSubOverWs.Record.Accounting;

/// <summary>The expected loss of an arm that stores nothing, from the measured offline windows of its clients.</summary>
public sealed class LossForecast
{
    private readonly ILookup<(bool IsSubscriber, int User), OfflineWindow> _windows;

    /// <param name="windows">Of one iteration, in any order.</param>
    public LossForecast(IEnumerable<OfflineWindow> windows) => _windows = windows.ToLookup(window => (window.IsSubscriber, window.User));

    /// <summary>True: it is published while its recipient is offline, or not at all.</summary>
    public bool IsLost(Attempt attempt) =>
        PublishedAt(attempt) is not { } published || Window(isSubscriber: true, attempt.Recipient, published) is not null;

    /// <summary>
    /// True: its publisher is offline when it is due, and sends it within <see cref="Latencies.LargestLag"/> after its return.
    /// </summary>
    public bool WaitsForItsPublisher(Attempt attempt) =>
        Window(isSubscriber: false, attempt.Publisher, attempt.Due) is { } away && !(attempt.Sent - away.Connected > Latencies.LargestLag);

    /// <summary>The share of time that a subscriber is offline, and so the share of its messages that is lost: W'/(C + W').</summary>
    /// <param name="every">C, how long it is connected between two cuts.</param>
    /// <param name="away">W', the measured offline time; above zero.</param>
    public static double OfChurn(TimeSpan every, TimeSpan away) => away / (every + away);

    /// <summary>
    /// When it is due; an offline publisher publishes messages without receipt after its return. Null: it does not come back.
    /// </summary>
    private TimeSpan? PublishedAt(Attempt attempt) =>
        Window(isSubscriber: false, attempt.Publisher, attempt.Due) is { } away ? away.Connected : attempt.Due;

    private OfflineWindow? Window(bool isSubscriber, int user, TimeSpan time) =>
        _windows[(isSubscriber, user)].Where(window => window.Contains(time)).Select(window => (OfflineWindow?)window).FirstOrDefault();
}

/// <summary>The time for which a client was offline. Times are from the iteration's start; null: it did not come back.</summary>
/// <param name="IsSubscriber">False: it is the publisher of this user.</param>
/// <param name="User">From 0.</param>
/// <param name="From">When its connection was lost.</param>
/// <param name="Connected">When it was connected again and sent its SUBSCRIBE, or its messages if it is a publisher.</param>
/// <param name="Until">When it was subscribed again, or connected again if it is a publisher.</param>
public readonly record struct OfflineWindow(bool IsSubscriber, int User, TimeSpan From, TimeSpan? Connected, TimeSpan? Until)
{
    public TimeSpan? Length => Until - From;

    /// <summary>True: a message sent to it, or due from it, at that time finds it offline.</summary>
    /// <remarks>
    /// The window ends with the client's request, not with the answer: a message and a SUBSCRIBE that are sent together are equally fast,
    /// and when all clients return at once, the answer takes as long again.
    /// </remarks>
    public bool Contains(TimeSpan time) => time >= From && !(time >= Connected);
}
