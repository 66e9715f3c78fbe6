using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness.Machine;

namespace PubSubOverWs.LoadTest.Harness.Workloads;

/// <summary>Sends each message when it is due, on a thread of its own: busy receivers on pool threads must not delay a send.</summary>
public static class Sender
{
    /// <summary>
    /// How long it sleeps when nothing is due. It shows in the recorded schedule lag. A spinning thread would be exact, but would take the
    /// core from the receivers and the queue.
    /// </summary>
    private static readonly TimeSpan Grain = TimeSpan.FromMilliseconds(1);

    // Of an exact load: about what a thread takes to wake up.
    private static readonly TimeSpan Spin = TimeSpan.FromMicroseconds(40);

    /// <param name="firstDue">A stamp of <see cref="Stopwatch"/>.</param>
    /// <param name="cancellationToken">Stops it; messages that are not yet due are not sent.</param>
    public static Task SendAsync(IClientLoad load, long firstDue, CancellationToken cancellationToken) => Task.Factory.StartNew(
        () => Send(load, firstDue, cancellationToken), cancellationToken, TaskCreationOptions.LongRunning, TaskScheduler.Default);

    private static void Send(IClientLoad load, long firstDue, CancellationToken cancellationToken)
    {
        var exact = load.Bounds.SendsExactly ? new ExactWait(Spin) : null;
        for (var send = 0L; send < load.Sends && !cancellationToken.IsCancellationRequested; send++)
        {
            var due = load.DueAt(send);
            exact?.Until(firstDue + (long)(due.TotalSeconds * Stopwatch.Frequency), cancellationToken);
            // Asked again after each wait: a load that has given up waits for nothing more.
            while (Stopwatch.GetElapsedTime(firstDue) < due && !cancellationToken.WaitHandle.WaitOne(Grain))
                due = load.DueAt(send);
            load.Send(send);
        }
    }
}
