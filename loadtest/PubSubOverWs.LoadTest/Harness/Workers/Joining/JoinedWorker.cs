using System.Buffers.Binary;
using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Harness.Workers.Joining;

/// <summary>A load process that has joined the run, from wherever it is. Disposing it tells the process that the run has ended.</summary>
public sealed class JoinedWorker : ILoadProcess, IAsyncDisposable
{
    private const int Pings = 200;

    private static readonly TimeSpan ClockTimeout = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan EndTimeout = TimeSpan.FromSeconds(5);

    // A process that has just joined starts a web server first.
    private static readonly TimeSpan StayTimeout = TimeSpan.FromSeconds(15);

    // Of a connection that says nothing any more.
    private static readonly TimeSpan PingDelay = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan PingTimeout = TimeSpan.FromSeconds(10);

    private readonly TaskCompletionSource<WorkerEnd> _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Stream _clock;
    private readonly SocketsHttpHandler _handler;
    private readonly byte[] _stamp = new byte[sizeof(long)];
    private Stream? _orders;

    /// <param name="number">From 1, in the order in which they joined.</param>
    /// <param name="from">Its address.</param>
    /// <param name="clock">Its connection for its clock.</param>
    /// <param name="orders">Its connection for orders.</param>
    public JoinedWorker(int number, IPAddress from, JoinHello hello, Stream clock, Stream orders)
    {
        (Number, From, Hello, _clock, _orders) = (number, from, hello, clock, orders);
        _handler = new SocketsHttpHandler
        {
            UseProxy = false,
            KeepAlivePingDelay = PingDelay,
            KeepAlivePingTimeout = PingTimeout,
            PooledConnectionIdleTimeout = Timeout.InfiniteTimeSpan,
            ConnectCallback = (_, _) => Interlocked.Exchange(ref _orders, null) is { } stream
                ? ValueTask.FromResult(stream)
                : ValueTask.FromException<Stream>(new IOException("its connection has ended")),
        };
    }

    public int Number { get; }

    public string Name => Invariant($"load-{Number}");

    public IPAddress From { get; }

    public JoinHello Hello { get; }

    /// <summary>Not known here.</summary>
    public ProcessUse? Use => null;

    public bool HasOwnClock => true;

    public Task<WorkerEnd> Ended => _ended.Task;

    public void Broke(string why) => _ended.TrySetResult(new WorkerEnd(
        $"at {From} cannot be reached any more ({why.TrimEnd('.')})",
        " See there what became of it, and start it again when the run is resumed."));

    /// <summary>
    /// Whether it answers. To be asked at once, and again while others are waited for: a web server closes a connection without an order.
    /// </summary>
    public Task<bool> IsThereAsync(CancellationToken cancellationToken) =>
        AnswersAsync(WorkerOrders.Stay, StayTimeout, cancellationToken);

    public HttpClient Connect() => new(_handler, disposeHandler: false)
    {
        BaseAddress = new Uri($"http://{Name}/"),
        DefaultRequestVersion = HttpVersion.Version20,
        DefaultVersionPolicy = HttpVersionPolicy.RequestVersionExact,
    };

    public async Task<ClockReading?> ReadClockAsync(CancellationToken cancellationToken)
    {
        using var limit = new CancellationTokenSource(ClockTimeout);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, cancellationToken);
        try
        {
            ClockReading? best = null;
            for (var i = 0; i < Pings; i++)
            {
                var sent = Stopwatch.GetTimestamp();
                await _clock.WriteAsync(_stamp.AsMemory(0, 1), either.Token);
                await _clock.FlushAsync(either.Token);
                await _clock.ReadExactlyAsync(_stamp, either.Token);
                var reading = ClockReading.Between(sent, Stopwatch.GetTimestamp(), BinaryPrimitives.ReadInt64LittleEndian(_stamp));
                best = best is null || reading.Bound < best.Bound ? reading : best;
            }
            return best;
        }
        catch (OperationCanceledException) when (limit.IsCancellationRequested && !cancellationToken.IsCancellationRequested)
        {
            throw new IOException(Invariant($"its clock was not read within {ClockTimeout.TotalSeconds:0} s"));
        }
    }

    public async ValueTask DisposeAsync()
    {
        // If it does not answer, it is gone already.
        await AnswersAsync(WorkerOrders.End, EndTimeout, CancellationToken.None);
        _handler.Dispose();
        await _clock.DisposeAsync();
        if (_orders is { } unused)
            await unused.DisposeAsync();
    }

    private async Task<bool> AnswersAsync(string order, TimeSpan within, CancellationToken cancellationToken)
    {
        using var client = Connect();
        client.Timeout = within;
        try
        {
            using var answer = await client.PostAsync(order, content: null, cancellationToken);
            return answer.IsSuccessStatusCode;
        }
        catch (Exception error) when (error is HttpRequestException
            || (error is OperationCanceledException && !cancellationToken.IsCancellationRequested))
        {
            return false;
        }
    }
}
