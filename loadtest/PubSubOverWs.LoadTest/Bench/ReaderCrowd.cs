using System.Buffers.Text;
using System.Diagnostics;
using System.Globalization;
using PubSubOverWs.LoadTest.Load.Children;
using PubSubOverWs.LoadTest.Load.Clients;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.LoadTest.Bench;

/// <summary>Connections that each send to themselves, in turn, at a fixed rate together, and read all the time.</summary>
internal sealed class ReaderCrowd(ClientTarget target, int count, int payloadBytes, TimeProvider time) : IDisposable
{
    private const int ConnectsUnderWay = 64;
    private const long LegStep = 1_000_000_000;

    // As in a run: a spinning sender would take the core from those who read.
    private static readonly TimeSpan Grain = TimeSpan.FromMilliseconds(1);

    private readonly StompConnection[] _users = [.. Enumerable.Range(0, count).Select(_ => new StompConnection(target))];
    private readonly byte[] _body = [.. Enumerable.Repeat((byte)'x', payloadBytes)];
    private Task _reading = Task.CompletedTask;
    private volatile Watch? _watch;
    private int _legs;

    public async Task ConnectAsync(CancellationToken cancellationToken)
    {
        await OpenAsync(_users, i => $"/queue/reader-{i}", cancellationToken);
        _reading = Task.WhenAll(_users.Select(ReadAsync));
    }

    /// <summary>Opens connections and subscribes each to one destination.</summary>
    /// <exception cref="ChildException">The server did not take one.</exception>
    public static Task OpenAsync(StompConnection[] connections, Func<int, string> destination, CancellationToken cancellationToken) => Parallel.ForAsync(
        0, connections.Length, new ParallelOptions { MaxDegreeOfParallelism = ConnectsUnderWay, CancellationToken = cancellationToken },
        async (i, _) =>
        {
            var failure = await connections[i].OpenAsync() ?? await connections[i].LogInAsync();
            if (failure is null && connections[i].TrySend(StompMessages.Subscribe("s", destination(i))))
                failure = await connections[i].ExpectAsync(StompCommand.Receipt);
            if (failure is not null)
                throw new ChildException($"The bench could not open a connection: {failure.Detail}. Ask for fewer with --connections, or raise the limit of open files.", ChildException.Unreachable);
        });

    /// <summary>Latencies in milliseconds from when each message was due, sorted, and how many did not come.</summary>
    /// <param name="rate">Messages a second to themselves, all readers together.</param>
    /// <param name="length">How long they send.</param>
    /// <param name="deaf">So many of a <see cref="DeafCrowd"/> get as many messages each, from the readers; 0: nobody.</param>
    /// <param name="cancellationToken">Cuts the measurement.</param>
    public async Task<(double[] Sorted, int Missing)> RunAsync(int rate, TimeSpan length, int deaf, CancellationToken cancellationToken)
    {
        var watch = _watch = new Watch(++_legs, rate, new double[(int)(rate * length.TotalSeconds)]);
        await Task.Factory.StartNew(() => Send(watch, deaf, cancellationToken), cancellationToken, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        var end = time.GetTimestamp();
        while (watch.Came < watch.Latencies.Length && time.GetElapsedTime(end) < ReadersLeg.Patience)
            await Task.Delay(Grain * 50, time, cancellationToken);
        _watch = null;
        double[] sorted = [.. watch.Latencies.Where(latency => latency > 0).Order()];
        return (sorted, watch.Latencies.Length - sorted.Length);
    }

    public void Dispose()
    {
        foreach (var user in _users)
            user.Dispose();
    }

    /// <summary>Completes when every connection has ended.</summary>
    public Task EndAsync()
    {
        Dispose();
        return _reading;
    }

    private void Send(Watch watch, int deaf, CancellationToken cancellationToken)
    {
        for (var i = 0; i < watch.Latencies.Length && !cancellationToken.IsCancellationRequested; i++)
        {
            while (watch.SinceDue(i) < 0 && !cancellationToken.WaitHandle.WaitOne(Grain))
            {
            }
            var user = i % count;
            // Directly before its own: that would wait too if a server held who publishes for those who do not read.
            for (var other = Share(i, deaf); other < Share(i + 1, deaf); other++)
                _users[user].TrySend(StompMessages.Send(DeafCrowd.Destination((int)(other % deaf)), "deaf", _body, receipt: null));
            var id = ((watch.Leg * LegStep) + i).ToString(CultureInfo.InvariantCulture);
            _users[user].TrySend(StompMessages.Send($"/queue/reader-{user}", id, _body, receipt: null));
        }
    }

    private long Share(int messages, int deaf) => (long)messages * deaf / count;

    private async Task ReadAsync(StompConnection user)
    {
        do
        {
            while (user.TryRead(out var frame))
            {
                if (_watch is { } watch && frame.TryGet(StompNames.Id, out var id) && Utf8Parser.TryParse(id, out long number, out _) && number / LegStep == watch.Leg)
                    watch.Add((int)(number % LegStep));
            }
        }
        while (await user.ReceiveAsync());
    }

    private sealed class Watch(int leg, int rate, double[] latencies)
    {
        private readonly long _start = Stopwatch.GetTimestamp();
        private int _came;

        public int Leg => leg;

        public double[] Latencies => latencies;

        public int Came => Volatile.Read(ref _came);

        /// <summary>Milliseconds; below 0: it is not due yet.</summary>
        public double SinceDue(int index) => Stopwatch.GetElapsedTime(_start).TotalMilliseconds - (index * 1000.0 / rate);

        // The pubsub server may deliver one twice: the first counts.
        public void Add(int index)
        {
            if (Interlocked.CompareExchange(ref latencies[index], Math.Max(SinceDue(index), double.Epsilon), 0) == 0)
                Interlocked.Increment(ref _came);
        }
    }
}
