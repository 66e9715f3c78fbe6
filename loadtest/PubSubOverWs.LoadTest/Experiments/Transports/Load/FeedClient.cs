using System.Net.WebSockets;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.Transports.Load;

/// <summary>
/// A client of the feed server, by one transport, with one connection that is kept. Where the route says so it comes back at once when that
/// was cut, until it leaves.
/// </summary>
/// <param name="route">To the server, or to the proxy before it.</param>
/// <param name="log">What came.</param>
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
