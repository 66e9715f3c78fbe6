using System.Buffers.Text;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.Record.Latency;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LoadTest.Bench;

/// <summary>
/// Messages through a queue at a steady rate: sends and deletes go in batches that fill while one is under way, as in the pubsub server.
/// </summary>
internal sealed class PacedQueue(ISqs sqs, string url, BenchPlan plan, TimeProvider time)
{
    // The defaults of the pubsub server.
    private const int PollLoops = 4;
    private const int CallsAtOnce = 4;

    // The digits of a number of ticks.
    private const int StampBytes = 20;

    private static readonly TimeSpan Step = TimeSpan.FromMilliseconds(1);
    private static readonly ReceiveRequest Receive = new() { MaxMessages = SqsLimits.MaxBatchEntries, WaitTime = TimeSpan.FromSeconds(1) };

    private readonly int _messages = Math.Max(1, (int)(plan.PacedRate * plan.Leg.TotalSeconds));
    private readonly LatencyHistogram _latencies = new();

    /// <exception cref="ChildException">The queue did not do what was asked.</exception>
    public async Task<PacedFigures> RunAsync(CancellationToken cancellationToken)
    {
        var cpu = Environment.CpuUsage.TotalTime;
        // Both are bounded by _messages, all that are sent.
        var sends = new BatchLoop<SendEntry>(
            CallsAtOnce, async batch => QueueLoad.Check(await sqs.SendMessageBatchAsync(url, batch, cancellationToken)));
        var deletes = new BatchLoop<string>(
            CallsAtOnce, async batch => QueueLoad.Check(await sqs.DeleteMessageBatchAsync(url, batch, cancellationToken)));
        var polls = Enumerable.Range(0, PollLoops)
            .Select(_ => Task.Run(() => PollAsync(deletes, cancellationToken), cancellationToken)).ToArray();
        await SendAsync(sends, cancellationToken);
        await sends.CompleteAsync();
        await Task.WhenAll(polls);
        await deletes.CompleteAsync();
        var used = Environment.CpuUsage.TotalTime - cpu;
        return new PacedFigures(Milliseconds(0.5), Milliseconds(0.99), used.TotalMicroseconds / _messages);
    }

    private async Task SendAsync(BatchLoop<SendEntry> sends, CancellationToken cancellationToken)
    {
        var start = time.GetTimestamp();
        for (var sent = 0; sent < _messages;)
        {
            var due = Math.Min(_messages, (long)(time.GetElapsedTime(start).TotalSeconds * plan.PacedRate) + 1);
            for (; sent < due; sent++)
                sends.Add(new SendEntry(Body(start + (long)((double)sent / plan.PacedRate * time.TimestampFrequency))));
            await Task.Delay(Step, time, cancellationToken);
        }
    }

    private async Task PollAsync(BatchLoop<string> deletes, CancellationToken cancellationToken)
    {
        while (Left() > 0)
        {
            var received = await sqs.ReceiveMessagesAsync(url, Receive, cancellationToken);
            var now = time.GetTimestamp();
            lock (_latencies)
            {
                foreach (var message in received)
                    _latencies.TryRecord(time.GetElapsedTime(DueIn(message), now));
            }

            foreach (var message in received)
                deletes.Add(message.ReceiptHandle);
        }
    }

    private long Left()
    {
        lock (_latencies)
            return _messages - _latencies.Count;
    }

    private double Milliseconds(double quantile) => _latencies.ValueAt(quantile)!.Value.TotalMilliseconds;

    // When it was due, and what it takes to be as long as was asked.
    private byte[] Body(long due)
    {
        var body = new byte[Math.Max(StampBytes, plan.PayloadBytes)];
        Array.Fill(body, (byte)'x');
        Utf8Formatter.TryFormat(due, body, out _, new System.Buffers.StandardFormat('D', StampBytes - 1));
        return body;
    }

    private static long DueIn(ReceivedMessage message) =>
        Utf8Parser.TryParse(message.Body.Span[..(StampBytes - 1)], out long due, out _)
            ? due
            : throw new ChildException("The queue has a message that the bench did not send.");
}
