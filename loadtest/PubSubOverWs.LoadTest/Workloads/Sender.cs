using System.Diagnostics;

namespace PubSubOverWs.LoadTest.Workloads;

/// <summary>
/// Sends each message when it is due, on a thread of its own: the pool's threads are busy receiving, and must not delay a send.
/// </summary>
public static class Sender
{
    /// <summary>
    /// How long it sleeps when nothing is due. The schedule's lag is recorded, so this grain is visible in it; a spinning thread would be
    /// exact, and would take the core from the receivers and the queue.
    /// </summary>
    private static readonly TimeSpan Grain = TimeSpan.FromMilliseconds(1);

    /// <param name="load">What is sent, and when it is due.</param>
    /// <param name="firstDue">A stamp of <see cref="Stopwatch"/>.</param>
    /// <param name="cancellationToken">Stops it; what is not yet due is not sent.</param>
    public static Task SendAsync(ILoad load, long firstDue, CancellationToken cancellationToken) => Task.Factory.StartNew(
        () => Send(load, firstDue, cancellationToken), cancellationToken, TaskCreationOptions.LongRunning, TaskScheduler.Default);

    private static void Send(ILoad load, long firstDue, CancellationToken cancellationToken)
    {
        for (var send = 0L; send < load.Sends && !cancellationToken.IsCancellationRequested; send++)
        {
            var due = load.DueAt(send);
            while (Stopwatch.GetElapsedTime(firstDue) < due && !cancellationToken.WaitHandle.WaitOne(Grain))
            {
            }
            load.Send(send);
        }
    }
}
