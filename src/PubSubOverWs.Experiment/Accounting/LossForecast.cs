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
