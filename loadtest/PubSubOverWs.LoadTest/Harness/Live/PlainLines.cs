namespace PubSubOverWs.LoadTest.Harness.Live;

/// <summary>
/// For logs and pipes: one line when a level is done in a block, one at least every ten seconds, and one before anything that takes longer.
/// </summary>
public sealed class PlainLines(TextWriter output, TimeProvider time) : ILiveView
{
    private static readonly TimeSpan Silence = TimeSpan.FromSeconds(10);
    private long _last = time.GetTimestamp();

    public Task WhileAsync(Func<Action<RunProgress>, Task> work) => work(Show);

    public void Show(RunProgress progress)
    {
        if (progress.Begins is { } begins)
        {
            if (begins.Takes >= Silence)
                output.WriteLine(Invariant($"{progress.Done}/{progress.Total} {begins}"));
            return;
        }

        var levelDone = progress.Last is { } last
            && (progress.Next is not { } next || next.Level != last.Level || next.Block != last.Block);
        if (!levelDone && time.GetElapsedTime(_last) < Silence)
            return;
        _last = time.GetTimestamp();
        output.WriteLine(Line(progress));
    }

    public static string Line(RunProgress progress)
    {
        var where = progress.Last is { } last
            ? Invariant($"block {last.Block}, {last.Level}: ")
            : "";
        var arms = progress.Arms.Where(arm => arm.Level == progress.Last?.Level && arm.Attempts > 0)
            .Select(arm => $"{arm.Arm} loss {ProgressText.Loss(arm.Loss)}, latency {ProgressText.Latency(arm.MeanLatency)}")
            .DefaultIfEmpty(progress.Last is null ? "starting" : $"warming up{More(progress.Next)}");
        var left = progress.Next is null ? "done" : $"{ProgressText.Left(progress)} left";
        return string.Create(CultureInfo.InvariantCulture, $"{progress.Done}/{progress.Total} {where}{string.Join("; ", arms)} ({left})");
    }

    private static string More(Trial? next) =>
        next is { WarmUp: true, MoreWarmUps: var after } && after > 0 ? Invariant($", {after + 1} more at most") : "";
}
