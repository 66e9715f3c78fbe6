using PubSubOverWs.Experiment.Design;
using PubSubOverWs.LoadTest.Workloads.OneWay;

namespace PubSubOverWs.LoadTest.Faults;

/// <summary>Does each action of an iteration at its moment, undoes it when its time is over, and leaves everything as it was.</summary>
/// <param name="moments">In order; one ends before the next begins.</param>
/// <param name="lasts">From the first due: then everything is taken back, in every arm after the same time.</param>
/// <param name="scene">Where it is done.</param>
/// <param name="time">The clock.</param>
public sealed class FaultSchedule(
    IReadOnlyList<FaultAction> moments, TimeSpan lasts, IFaultInjector scene, TimeProvider time) : IDisturbance
{
    /// <summary>Moments that were carried out.</summary>
    public int Actions { get; private set; }

    public Task BeginAsync(CancellationToken cancellationToken) => scene.BeginAsync(cancellationToken);

    public async Task PlayAsync(CancellationToken cancellationToken)
    {
        try
        {
            await PlayAsync(time.GetTimestamp(), cancellationToken);
        }
        finally
        {
            await scene.EndAsync();
        }
    }

    private async Task PlayAsync(long firstDue, CancellationToken cancellationToken)
    {
        foreach (var moment in moments)
        {
            await UntilAsync(firstDue, moment.At, cancellationToken);
            await scene.DoAsync(moment.Kind, cancellationToken);
            Actions++;
            var over = moment.At + moment.For;
            await UntilAsync(firstDue, over, cancellationToken);
            await scene.UndoAsync(moment.Kind, firstDue + (long)(over.TotalSeconds * time.TimestampFrequency), cancellationToken);
        }

        await UntilAsync(firstDue, lasts, cancellationToken);
        await scene.CalmAsync(cancellationToken);
    }

    private Task UntilAsync(long firstDue, TimeSpan at, CancellationToken cancellationToken)
    {
        var left = at - time.GetElapsedTime(firstDue);
        return left > TimeSpan.Zero ? Task.Delay(left, time, cancellationToken) : Task.CompletedTask;
    }
}
