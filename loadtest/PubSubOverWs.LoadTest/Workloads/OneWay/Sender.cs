using System.Diagnostics;

namespace PubSubOverWs.LoadTest.Workloads.OneWay;

/// <summary>
/// Lets the users send when they are due, on a thread of its own: the pool's threads are busy receiving, and must not delay a send.
/// </summary>
public static class Sender
{
    /// <summary>
    /// How long it sleeps when nothing is due. The schedule's lag is recorded, so this grain is visible in it; a spinning thread would be
    /// exact, and would take the core from the receivers and the queue.
    /// </summary>
    private static readonly TimeSpan Grain = TimeSpan.FromMilliseconds(1);

    /// <param name="users">In the order in which they send.</param>
    /// <param name="plan">How many messages each has, and when they are due.</param>
    /// <param name="firstDue">A stamp of <see cref="Stopwatch"/>.</param>
    /// <param name="cancellationToken">Stops it; the remaining users do not send.</param>
    public static Task SendAsync(
        IReadOnlyList<IParticipant> users, IterationPlan plan, long firstDue, CancellationToken cancellationToken) =>
        Task.Factory.StartNew(
            () => Send(users, plan, firstDue, cancellationToken), cancellationToken, TaskCreationOptions.LongRunning,
            TaskScheduler.Default);

    private static void Send(IReadOnlyList<IParticipant> users, IterationPlan plan, long firstDue, CancellationToken cancellationToken)
    {
        for (var sequence = 0; sequence < plan.Messages; sequence++)
        {
            for (var i = 0; i < users.Count && !cancellationToken.IsCancellationRequested; i++)
            {
                var due = plan.DueAt(i, sequence);
                while (Stopwatch.GetElapsedTime(firstDue) < due && !cancellationToken.WaitHandle.WaitOne(Grain))
                {
                }
                users[i].Send(sequence);
            }
        }
    }
}
