using System.Diagnostics;
using PubSubOverWs.LoadTest.Experiments.Transports.Load.Feed;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.Transports.Load;

/// <summary>
/// A client that polls, with one poll outstanding at a time. Long polling: the server answers when it has something, and the next poll
/// follows at once. Polling: it answers at once, and the next poll follows after a pause.
/// </summary>
/// <param name="name">Unique at the server, which keeps for it what was not handed over yet.</param>
/// <param name="channel">Its sensor.</param>
/// <param name="wait">After which the server answers at the latest.</param>
/// <param name="pause">From a response to the next poll.</param>
/// <param name="phase">When it begins, after the first measurement is due.</param>
public sealed class PollingClient(
    FeedRoute route, MeasurementLog log, Countdown waiting, string name, int channel, TimeSpan wait, TimeSpan pause, TimeSpan phase)
    : FeedClient(route, log, waiting)
{
    private readonly TaskCompletionSource _begins = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private TimeSpan _rest = phase;

    public override void Begin() => _begins.TrySetResult();

    // The first poll, which finds nothing: the server knows it from then on. After a cut the next poll comes at once.
    protected override Task OpenAsync(CancellationToken cancellationToken) =>
        PollAsync(HasEntered ? wait : TimeSpan.Zero, cancellationToken);

    protected override async Task ReceiveAsync(TimeProvider time, CancellationToken cancellationToken)
    {
        await _begins.Task.WaitAsync(cancellationToken);
        while (true)
        {
            if (_rest > TimeSpan.Zero)
                await Task.Delay(_rest, time, cancellationToken);
            _rest = pause;
            await PollAsync(wait, cancellationToken);
            Requests++;
        }
    }

    private async Task PollAsync(TimeSpan most, CancellationToken cancellationToken)
    {
        using var request = Get(
            WithLast(Invariant($"{FeedServer.PollPath}?client={name}&channel={channel}&wait={most.TotalMilliseconds:0}")));
        using var response = await Http.SendAsync(request, cancellationToken);
        // Header and body are one write of the server, and so come together.
        var stamp = Stopwatch.GetTimestamp();
        response.EnsureSuccessStatusCode();
        Take(await response.Content.ReadAsByteArrayAsync(cancellationToken), stamp);
    }
}
