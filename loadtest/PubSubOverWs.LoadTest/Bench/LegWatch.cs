using System.Buffers.Text;
using System.Diagnostics;

namespace PubSubOverWs.LoadTest.Bench;

/// <summary>
/// One leg at a fixed rate: says when each message is due, and keeps when each copy of it came. Copies are told apart by a place of their
/// own.
/// </summary>
/// <param name="leg">Distinguishes its messages from those of other legs on the same connections.</param>
/// <param name="rate">Messages a second.</param>
/// <param name="messages">That are sent.</param>
/// <param name="copies">That are to come, of all messages together.</param>
internal sealed class LegWatch(int leg, int rate, int messages, int copies)
{
    /// <summary>For how long it waits for what was sent last; what has not come by then counts as having taken so long.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    private const long LegStep = 1_000_000_000;

    // As in a run: a spinning sender would take the core from the clients that read.
    private static readonly TimeSpan Grain = TimeSpan.FromMilliseconds(1);

    private readonly double[] _latencies = new double[copies];
    private long _start;
    private int _came;

    /// <summary>In milliseconds, by the nearest rank over all copies.</summary>
    /// <param name="sorted">Of those that came, in milliseconds.</param>
    /// <param name="copies">All that were to come.</param>
    /// <param name="share">Above 0 and up to 1, such as 0.99.</param>
    public static double Percentile(double[] sorted, int copies, double share)
    {
        var rank = (int)Math.Ceiling(share * copies) - 1;
        return rank < sorted.Length ? sorted[rank] : Patience.TotalMilliseconds;
    }

    /// <summary>The application id of a message.</summary>
    public string Id(int message) => ((leg * LegStep) + message).ToString(CultureInfo.InvariantCulture);

    /// <summary>Which message of this leg a frame is. False: it is none.</summary>
    public bool TryRead(in StompFrame frame, out int message)
    {
        message = 0;
        if (!frame.TryGet(StompNames.Id, out var id) || !Utf8Parser.TryParse(id, out long number, out var length) || length != id.Length
            || number / LegStep != leg)
            return false;
        message = (int)(number % LegStep);
        return message < messages;
    }

    /// <summary>A copy came. The pubsub server may deliver one twice: the first counts.</summary>
    /// <param name="message">Of which it is one.</param>
    /// <param name="copy">Its place among all copies.</param>
    public void Add(int message, int copy)
    {
        if (Interlocked.CompareExchange(ref _latencies[copy], Math.Max(SinceDue(message), double.Epsilon), 0) == 0)
            Interlocked.Increment(ref _came);
    }

    /// <summary>
    /// Sends each message when it is due, and waits until all copies came, or <see cref="Patience"/> has passed.
    /// </summary>
    /// <returns>Latencies in milliseconds from when a message was due, sorted, and how many copies did not come.</returns>
    public async Task<(double[] Sorted, int Missing)> RunAsync(Action<int> send, TimeProvider time, CancellationToken cancellationToken)
    {
        _start = Stopwatch.GetTimestamp();
        await Task.Factory.StartNew(
            () => Send(send, cancellationToken), cancellationToken, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        var end = time.GetTimestamp();
        while (Volatile.Read(ref _came) < copies && time.GetElapsedTime(end) < Patience)
            await Task.Delay(Grain * 50, time, cancellationToken);
        double[] sorted = [.. _latencies.Where(latency => latency > 0).Order()];
        return (sorted, copies - sorted.Length);
    }

    private void Send(Action<int> send, CancellationToken cancellationToken)
    {
        for (var i = 0; i < messages && !cancellationToken.IsCancellationRequested; i++)
        {
            while (SinceDue(i) < 0 && !cancellationToken.WaitHandle.WaitOne(Grain))
            {
            }
            send(i);
        }
    }

    // Milliseconds; below 0: it is not due yet.
    private double SinceDue(int message) => Stopwatch.GetElapsedTime(_start).TotalMilliseconds - (message * 1000.0 / rate);
}
