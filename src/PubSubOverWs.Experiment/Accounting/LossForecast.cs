namespace PubSubOverWs.Experiment.Accounting;

/// <summary>What an arm that stores nothing should lose, from when clients were really away.</summary>
public sealed class LossForecast
{
    private readonly ILookup<(bool IsSubscriber, int User), OfflineWindow> _windows;

    /// <param name="windows">Of one iteration, in any order.</param>
    public LossForecast(IEnumerable<OfflineWindow> windows) => _windows = windows.ToLookup(window => (window.IsSubscriber, window.User));

    /// <summary>True: it is published while its recipient is away, or not at all.</summary>
    public bool IsLost(Attempt attempt) =>
        PublishedAt(attempt) is not { } published || Window(isSubscriber: true, attempt.Recipient, published) is not null;

    /// <summary>
    /// True: its publisher is away when it is due, and sends it as soon as it is back, within <see cref="Latencies.LargestLag"/>.
    /// </summary>
    public bool WaitsForItsPublisher(Attempt attempt) =>
        Window(isSubscriber: false, attempt.Publisher, attempt.Due) is { } away && !(attempt.Sent - away.Connected > Latencies.LargestLag);

    /// <summary>The share of time that a subscriber is away, and so of its messages that are lost: W'/(C + W').</summary>
    /// <param name="every">How long it is connected between two cuts, C.</param>
    /// <param name="away">How long it was away, as measured, W'; above zero.</param>
    public static double OfChurn(TimeSpan every, TimeSpan away) => away / (every + away);

    /// <summary>
    /// When it is due; a publisher that is away then publishes what has no receipt when it is back. Null: it does not come back.
    /// </summary>
    private TimeSpan? PublishedAt(Attempt attempt) =>
        Window(isSubscriber: false, attempt.Publisher, attempt.Due) is { } away ? away.Connected : attempt.Due;

    private OfflineWindow? Window(bool isSubscriber, int user, TimeSpan time)
    {
        foreach (var window in _windows[(isSubscriber, user)])
        {
            if (window.Contains(time))
                return window;
        }

        return null;
    }
}

/// <summary>A time in which a client was away. Times are from the iteration's start.</summary>
/// <param name="IsSubscriber">False: it is the publisher of this user.</param>
/// <param name="User">From 0.</param>
/// <param name="From">When its connection was lost.</param>
/// <param name="Connected">When it was connected again, and sent its SUBSCRIBE, or as a publisher what it has to publish; null: it did not
/// come back.</param>
/// <param name="Until">When it was subscribed again, or as a publisher connected again; null: it did not come back.</param>
public readonly record struct OfflineWindow(bool IsSubscriber, int User, TimeSpan From, TimeSpan? Connected, TimeSpan? Until)
{
    /// <summary>How long it was away; null: it did not come back.</summary>
    public TimeSpan? Length => Until - From;

    /// <summary>True: what is sent to it, or is to be sent by it, at that time finds it away.</summary>
    /// <remarks>
    /// Its end is when the client asks, not when the answer comes: a message and a SUBSCRIBE that are sent at the same time take as long to
    /// the server, and when all come back at once the answer takes as long again.
    /// </remarks>
    public bool Contains(TimeSpan time) => time >= From && !(time >= Connected);
}
