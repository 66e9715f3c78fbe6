using System.Diagnostics;

namespace PubSubOverWs.LoadTest.Experiments.RequestReply.Load;

/// <summary>What became of a request, as three observations. All times are whole microseconds, as the log has them.</summary>
/// <param name="plan">Of the iteration.</param>
/// <param name="log">Of all requests.</param>
/// <param name="start">The iteration's start, a stamp of <see cref="Stopwatch"/>.</param>
/// <param name="firstDue">Likewise.</param>
/// <param name="failureOf">The first failure of the user and the provider of a request.</param>
public sealed class RequestObserver(RequestReplyPlan plan, RequestLog log, long start, long firstDue, Func<int, Cause> failureOf)
{
    private readonly TimeSpan _origin = Whole(Stopwatch.GetElapsedTime(start, log.Origin));
    private readonly TimeSpan _firstDue = Whole(Stopwatch.GetElapsedTime(start, firstDue));

    /// <summary>From the user and back to it.</summary>
    public Observation RoundTrip(int request) => Seen(request, Due(request), At(Moment.Sent, request), At(Moment.Returned, request));

    /// <summary>From the user to the provider.</summary>
    public Observation Request(int request) =>
        Seen(request, Due(request), At(Moment.Sent, request), At(Moment.Arrived, request)) with { Recipient = plan.ProviderOf(request) };

    /// <summary>From the provider to the user: due when the request has come.</summary>
    public Observation Reply(int request) =>
        Seen(request, At(Moment.Arrived, request) ?? Due(request), At(Moment.Replied, request), At(Moment.Returned, request)) with
        {
            Publisher = plan.ProviderOf(request),
        };

    private Observation Seen(int request, TimeSpan due, TimeSpan? sent, TimeSpan? received) => new(
        "", plan.UserOf(request), plan.UserOf(request), due, sent, Receipt: null, Taken: false, received, failureOf(request));

    private TimeSpan Due(int request) => _firstDue + Whole(plan.DueAt(request));

    private TimeSpan? At(Moment moment, int request) => log[moment, request] + _origin;

    private static TimeSpan Whole(TimeSpan time) => TimeSpan.FromTicks(time.Ticks - (time.Ticks % TimeSpan.TicksPerMicrosecond));
}
