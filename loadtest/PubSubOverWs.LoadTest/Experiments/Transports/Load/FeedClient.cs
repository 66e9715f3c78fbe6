using System.Diagnostics;
using System.Net.WebSockets;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.Transports.Load;

/// <summary>
/// A client of the feed server, by one transport, with one connection that is kept. Where the route says so it comes back at once when that
/// was cut, until it leaves.
/// </summary>
/// <param name="route">To the server, or to the proxy before it.</param>
/// <param name="waiting">Told once, when there is nothing more to wait for.</param>
public abstract class FeedClient(FeedRoute route, MeasurementLog log, Countdown waiting) : IParticipant
{
    // After a connect that failed, so that a server that has gone is not asked without a pause.
    private static readonly TimeSpan BetweenTries = TimeSpan.FromMilliseconds(10);

    private readonly CancellationTokenSource _leaving = new();
    private Task _listening = Task.CompletedTask;
    private int _settled;
    private volatile bool _hasEntered;
    private bool _isDisposed;
    private HttpMessageInvoker? _http;

    public MeasurementLog Log => log;

    /// <summary>It was connected, whatever came later.</summary>
    public bool HasEntered => _hasEntered;

    public bool IsIn => _hasEntered && Failure is null;

    /// <summary>The first thing that went wrong; null: nothing.</summary>
    public ConnectFailure? Failure { get; private set; }

    /// <summary>Requests that it has made since it was connected.</summary>
    public int Requests { get; protected set; }

    public ConnectionLog Connections { get; } = new();

    protected HttpMessageInvoker Http => _http ??= new(new SocketsHttpHandler
    {
        UseProxy = false,
        UseCookies = false,
        MaxConnectionsPerServer = 1,
        PooledConnectionIdleTimeout = Timeout.InfiniteTimeSpan,
        ConnectCallback = Connections.ConnectAsync,
    });

    protected Version Version => route.Version;

    public async Task EnterAsync(TimeProvider time)
    {
        using var timeout = new CancellationTokenSource(LoadBounds.DefaultConnectTimeout, time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(timeout.Token, _leaving.Token);
        try
        {
            await OpenAsync(either.Token);
            _hasEntered = true;
            _listening = ListenAsync(time);
        }
        catch (Exception error) when (IsOfNetwork(error))
        {
            GiveUp(timeout.IsCancellationRequested ? Cause.ConnectTimeout : Cause.ConnectRefused, error.Message);
        }
    }

    /// <summary>The first measurement of its sensor is due now. Never waits.</summary>
    public virtual void Begin()
    {
    }

    public Task StopSendingAsync() => Task.CompletedTask;

    public void Leave()
    {
        if (!_isDisposed)
            _leaving.Cancel();
    }

    public Task EndAsync() => _listening;

    public void Abort() => Leave();

    public void Dispose()
    {
        if (_isDisposed)
            return;
        _isDisposed = true;
        Close();
        _http?.Dispose();
        _leaving.Dispose();
        GC.SuppressFinalize(this);
    }

    /// <summary>Connects, for the first time or again; from then on the server keeps what is for it.</summary>
    protected abstract Task OpenAsync(CancellationToken cancellationToken);

    /// <summary>Receives until the server closes the connection.</summary>
    protected abstract Task ReceiveAsync(TimeProvider time, CancellationToken cancellationToken);

    protected virtual void Close()
    {
    }

    protected Uri At(string pathAndQuery) => new(route.Server, pathAndQuery);

    /// <summary>With the last measurement that it has, if it is to name that and has one.</summary>
    protected string WithLast(string pathAndQuery) => route.AfterCut == AfterCut.Resume && log.Latest is { } latest
        ? Invariant($"{pathAndQuery}&after={latest}")
        : pathAndQuery;

    protected HttpRequestMessage Get(string pathAndQuery) => new(HttpMethod.Get, At(pathAndQuery))
    {
        Version = Version,
        VersionPolicy = HttpVersionPolicy.RequestVersionExact,
    };

    /// <summary>Records what came.</summary>
    /// <param name="stamp">Taken right after the receive.</param>
    protected void Take(ReadOnlySpan<byte> measurements, long stamp)
    {
        log.Take(measurements, stamp);
        if (log.Missing == 0)
            Settle();
    }

    private async Task ListenAsync(TimeProvider time)
    {
        var ended = await TryAsync(token => ReceiveAsync(time, token)) ?? "the server closed the connection";
        while (route.AfterCut != AfterCut.End && !_leaving.IsCancellationRequested)
        {
            if (await TryAsync(OpenAsync) is null)
                await TryAsync(token => ReceiveAsync(time, token));
            else
                await Task.Delay(BetweenTries, time, _leaving.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }

        GiveUp(Cause.ServerClosed, ended);
    }

    /// <summary>Why the network ended it; null: it ended by itself.</summary>
    private async Task<string?> TryAsync(Func<CancellationToken, Task> act)
    {
        try
        {
            await act(_leaving.Token);
            return null;
        }
        catch (Exception error) when (IsOfNetwork(error))
        {
            return error.Message;
        }
    }

    private void GiveUp(Cause cause, string why)
    {
        if (!_leaving.IsCancellationRequested)
            Failure ??= new ConnectFailure(cause, why);
        Settle();
    }

    private void Settle()
    {
        if (Interlocked.Exchange(ref _settled, 1) == 0)
            waiting.Signal();
    }

    private static bool IsOfNetwork(Exception error) =>
        error is HttpRequestException or WebSocketException or IOException or OperationCanceledException or ObjectDisposedException;
}

/// <summary>How clients of one arm reach the server.</summary>
/// <param name="Server">The server, or a proxy before it.</param>
/// <param name="IsHttp2">In the clear and without a negotiation.</param>
/// <param name="AfterCut">What they do when their connection was cut.</param>
public sealed record FeedRoute(Uri Server, bool IsHttp2, AfterCut AfterCut)
{
    public Version Version => IsHttp2 ? HttpVersion.Version20 : HttpVersion.Version11;
}

/// <summary>A client to which the server sends each measurement as a WebSocket message.</summary>
public sealed class SocketClient(FeedRoute route, MeasurementLog log, Countdown waiting, int channel) : FeedClient(route, log, waiting)
{
    private ClientWebSocket _socket = new();
    private readonly byte[] _buffer = new byte[2 * Measurement.Bytes];

    protected override Task OpenAsync(CancellationToken cancellationToken)
    {
        _socket.Dispose();
        _socket = new ClientWebSocket();
        _socket.Options.KeepAliveInterval = TimeSpan.Zero;
        (_socket.Options.HttpVersion, _socket.Options.HttpVersionPolicy) = (Version, HttpVersionPolicy.RequestVersionExact);
        var target = new UriBuilder(At(WithLast(Invariant($"{FeedServer.SocketPath}?channel={channel}")))) { Scheme = "ws" };
        return _socket.ConnectAsync(target.Uri, Http, cancellationToken);
    }

    protected override async Task ReceiveAsync(TimeProvider time, CancellationToken cancellationToken)
    {
        for (var kept = 0; ;)
        {
            var received = await _socket.ReceiveAsync(_buffer.AsMemory(kept), cancellationToken);
            if (received.MessageType == WebSocketMessageType.Close)
                return;
            kept += received.Count;
            if (!received.EndOfMessage && kept < _buffer.Length)
                continue;
            Take(_buffer.AsSpan(0, kept), Stopwatch.GetTimestamp());
            kept = 0;
        }
    }

    protected override void Close() => _socket.Dispose();
}

/// <summary>A client to which the server sends each measurement as a server-sent event, in a response that does not end.</summary>
public sealed class EventsClient(FeedRoute route, MeasurementLog log, Countdown waiting, int channel) : FeedClient(route, log, waiting)
{
    private readonly byte[] _buffer = new byte[16 * ServerSentEvent.Bytes];
    private HttpResponseMessage? _response;
    private Stream _events = Stream.Null;

    protected override async Task OpenAsync(CancellationToken cancellationToken)
    {
        _response?.Dispose();
        using var request = Get(Invariant($"{FeedServer.EventsPath}?channel={channel}"));
        // The id of an event is the number of its measurement. Every browser names the last one when it comes back.
        if (Log.Latest is { } latest)
            request.Headers.Add(FeedServer.LastEventId, Invariant($"{latest}"));
        _response = await Http.SendAsync(request, cancellationToken);
        _response.EnsureSuccessStatusCode();
        _events = await _response.Content.ReadAsStreamAsync(cancellationToken);
    }

    protected override async Task ReceiveAsync(TimeProvider time, CancellationToken cancellationToken)
    {
        var kept = 0;
        while (await _events.ReadAsync(_buffer.AsMemory(kept), cancellationToken) is > 0 and var count)
        {
            var stamp = Stopwatch.GetTimestamp();
            var bytes = _buffer.AsSpan(0, kept + count);
            for (var end = bytes.IndexOf((byte)'\n'); end >= 0; end = bytes.IndexOf((byte)'\n'))
            {
                // An empty line ends an event, and has no measurement; neither have the lines of its id and of "retry".
                if (end > 0)
                    Take(ServerSentEvent.MeasurementOf(bytes[..end]), stamp);
                bytes = bytes[(end + 1)..];
            }
            bytes.CopyTo(_buffer);
            kept = bytes.Length;
        }
    }

    protected override void Close() => _response?.Dispose();
}

/// <summary>
/// A client that polls, with one poll outstanding at a time. Long polling: the server answers when it has something, and the next poll
/// follows at once. Polling: it answers at once, and the next poll follows after a pause.
/// </summary>
/// <param name="name">Unique at the server, which keeps for it what was not handed over yet.</param>
/// <param name="wait">After which the server answers at the latest.</param>
/// <param name="pause">From a response to the next poll.</param>
/// <param name="phase">When it begins, after the first measurement is due.</param>
public sealed class PollingClient(
    FeedRoute route, MeasurementLog log, Countdown waiting, string name, int channel, TimeSpan wait, TimeSpan pause, TimeSpan phase)
    : FeedClient(route, log, waiting)
{
    private readonly TaskCompletionSource _begins = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private TimeSpan _rest = phase;

    public override void Begin() => _begins.TrySetResult();

    // The first poll, which finds nothing: the server knows it from then on. After a cut the next poll comes at once.
    protected override Task OpenAsync(CancellationToken cancellationToken) =>
        PollAsync(HasEntered ? wait : TimeSpan.Zero, cancellationToken);

    protected override async Task ReceiveAsync(TimeProvider time, CancellationToken cancellationToken)
    {
        await _begins.Task.WaitAsync(cancellationToken);
        while (true)
        {
            if (_rest > TimeSpan.Zero)
                await Task.Delay(_rest, time, cancellationToken);
            _rest = pause;
            await PollAsync(wait, cancellationToken);
            Requests++;
        }
    }

    private async Task PollAsync(TimeSpan most, CancellationToken cancellationToken)
    {
        using var request = Get(
            WithLast(Invariant($"{FeedServer.PollPath}?client={name}&channel={channel}&wait={most.TotalMilliseconds:0}")));
        using var response = await Http.SendAsync(request, cancellationToken);
        // Header and body are one write of the server, and so come together.
        var stamp = Stopwatch.GetTimestamp();
        response.EnsureSuccessStatusCode();
        Take(await response.Content.ReadAsByteArrayAsync(cancellationToken), stamp);
    }
}
