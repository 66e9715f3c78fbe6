using PubSubOverWs.Experiment.Faults;
using PubSubOverWs.LoadTest.Load.Iterations;

namespace PubSubOverWs.LoadTest.Faults.Playing;

/// <summary>Does each deed of an iteration at its moment, and undoes it when its time is over.</summary>
/// <param name="moments">In order; one ends before the next begins.</param>
/// <param name="scene">Where it is done.</param>
/// <param name="time">The clock.</param>
public sealed class FaultPlay(IReadOnlyList<FaultMoment> moments, IFaultScene scene, TimeProvider time) : IDisturbance
{
    /// <summary>Moments that were carried out.</summary>
    public int Deeds { get; private set; }

    public Task BeginAsync(CancellationToken cancellationToken) => scene.BeginAsync(cancellationToken);

    public async Task PlayAsync(CancellationToken cancellationToken)
    {
        var firstDue = time.GetTimestamp();
        foreach (var moment in moments)
        {
            await UntilAsync(firstDue, moment.At, cancellationToken);
            await scene.DoAsync(moment.Deed, cancellationToken);
            Deeds++;
            await UntilAsync(firstDue, moment.At + moment.For, cancellationToken);
            await scene.UndoAsync(moment.Deed, cancellationToken);
        }
    }

    public Task CalmAsync(CancellationToken cancellationToken) => scene.CalmAsync(cancellationToken);

    private Task UntilAsync(long firstDue, TimeSpan at, CancellationToken cancellationToken)
    {
        var left = at - time.GetElapsedTime(firstDue);
        return left > TimeSpan.Zero ? Task.Delay(left, time, cancellationToken) : Task.CompletedTask;
    }
}
