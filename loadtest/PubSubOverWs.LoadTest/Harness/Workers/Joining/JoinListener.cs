using System.Collections.Concurrent;
using System.Diagnostics;
using System.Security.Authentication;
using PubSubOverWs.LoadTest.Harness.Machine;
using PubSubOverWs.LoadTest.Harness.Runs;

namespace PubSubOverWs.LoadTest.Harness.Workers.Joining;

/// <summary>
/// The port at which the load processes of a run join, open until all have. Any other connection is refused with a sentence, where there is
/// a way to say it, and the run goes on.
/// </summary>
public sealed class JoinListener : IAsyncDisposable
{
    // Connections that have not yet said who they are: more are closed at once, and a load process tries again.
    private const int MostUnknown = 1_024;

    private const byte TlsHandshake = 22;

    private static readonly TimeSpan GreetTimeout = TimeSpan.FromSeconds(10);

    // Those that have joined are asked so often whether they are still there.
    private static readonly TimeSpan BetweenLooks = TimeSpan.FromSeconds(5);

    private readonly TcpListener _listener;
    private readonly JoinToken _token;
    private readonly int _workers;
    private readonly int _openFiles;
    private readonly Func<string, Task> _say;
    private readonly TimeProvider _time;
    private readonly CancellationTokenSource _closing = new();
    private readonly ConcurrentDictionary<string, Stream> _clocks = [];
    private readonly ConcurrentDictionary<string, int> _refused = [];
    private readonly List<JoinedWorker> _joined = [];
    private readonly SortedSet<int> _free;
    private readonly Lock _gate = new();
    private readonly Task _accepting;
    private TaskCompletionSource _all = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private bool _isHandedOver;
    private int _unknown;

    /// <param name="at">Where it listens; port 0: a free one.</param>
    /// <param name="token">Of the run.</param>
    /// <param name="workers">How many are to join.</param>
    /// <param name="openFiles">So many files each of them must be able to open.</param>
    /// <param name="say">Tells the user.</param>
    /// <exception cref="RefusalException">Nothing can listen there.</exception>
    public JoinListener(IPEndPoint at, JoinToken token, int workers, int openFiles, Func<string, Task> say, TimeProvider time)
    {
        (_token, _workers, _openFiles, _say, _time) = (token, workers, openFiles, say, time);
        _free = [.. Enumerable.Range(1, workers)];
        _listener = new TcpListener(at);
        try
        {
            _listener.Start(MostUnknown);
        }
        catch (SocketException error)
        {
            throw new RefusalException(
                $"Nobody can join at {at}: {error.Message}. Name another address or port with {JoinOptions.At}.", error);
        }
        _accepting = AcceptAsync();
    }

    public IPEndPoint EndPoint => (IPEndPoint)_listener.LocalEndpoint;

    /// <summary>Refusals so far, by their sentence.</summary>
    public IReadOnlyDictionary<string, int> Refused => _refused;

    /// <summary>Waits until all have joined and are there, by their numbers. The caller disposes them.</summary>
    /// <exception cref="RefusalException">They have not, in time.</exception>
    /// <exception cref="OperationCanceledException">The user stopped the run.</exception>
    public async Task<IReadOnlyList<JoinedWorker>> AllAsync(TimeSpan within, CancellationToken cancellationToken)
    {
        using var limit = new CancellationTokenSource(within, _time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, cancellationToken);
        try
        {
            while (true)
            {
                await Task.WhenAny(_all.Task, Task.Delay(BetweenLooks, _time, either.Token));
                either.Token.ThrowIfCancellationRequested();
                await DropGoneAsync(either.Token);
                lock (_gate)
                {
                    if (_joined.Count < _workers)
                        continue;
                    _isHandedOver = true;
                    return [.. _joined.OrderBy(one => one.Number)];
                }
            }
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            throw new RefusalException(ExitCode.Unreachable, Invariant(
                $"Only {_joined.Count} of {_workers} load processes joined within {within.TotalSeconds:0} s: see where the others were ")
                    + $"started what they say, or wait longer with {JoinOptions.Within}.");
        }
    }

    public async ValueTask DisposeAsync()
    {
        await _closing.CancelAsync();
        _listener.Dispose();
        await _accepting;
        foreach (var clock in _clocks.Values)
            await clock.DisposeAsync();
        if (!_isHandedOver)
        {
            foreach (var worker in _joined)
                await worker.DisposeAsync();
        }
        _closing.Dispose();
    }

    private async Task AcceptAsync()
    {
        List<Task> greeted = [];
        try
        {
            while (true)
            {
                var connection = await _listener.AcceptSocketAsync(_closing.Token);
                greeted.RemoveAll(one => one.IsCompleted);
                if (Interlocked.Increment(ref _unknown) <= MostUnknown)
                    greeted.Add(GreetAsync(connection));
                else
                    await RefuseAsync(connection, Invariant($"{MostUnknown} connections had not yet said who they are"));
            }
        }
        catch (Exception error) when (error is OperationCanceledException or ObjectDisposedException or SocketException)
        {
            // It closes.
        }
        await Task.WhenAll(greeted);
    }

    private async Task RefuseAsync(Socket connection, string why)
    {
        connection.Dispose();
        Interlocked.Decrement(ref _unknown);
        await SayRefusedAsync(why);
    }

    private async Task GreetAsync(Socket connection)
    {
        connection.NoDelay = true;
        using var limit = new CancellationTokenSource(GreetTimeout, _time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, _closing.Token);
        try
        {
            if (await GreetAsync(connection, either.Token) is { } why)
                await RefuseAsync(connection, why);
            else
                Interlocked.Decrement(ref _unknown);
        }
        catch (OperationCanceledException)
        {
            await RefuseAsync(connection, Invariant($"it did not say within {GreetTimeout.TotalSeconds:0} s who it is"));
        }
        catch (AuthenticationException)
        {
            await RefuseAsync(connection, "it does not have the token of this run");
        }
        catch (InvalidDataException error)
        {
            await RefuseAsync(connection, $"it is no load process ({error.Message})");
        }
        catch (Exception error) when (error is IOException or SocketException)
        {
            await RefuseAsync(connection, "it went away before it had said who it is");
        }
    }

    // Null: it is welcome.
    private async Task<string?> GreetAsync(Socket connection, CancellationToken cancellationToken)
    {
        var first = new byte[1];
        var stream = new NetworkStream(connection, ownsSocket: true);
        if (await connection.ReceiveAsync(first, SocketFlags.Peek, cancellationToken) == 0)
            throw new EndOfStreamException();
        if (first[0] != TlsHandshake)
        {
            await stream.WriteAsync(
                "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\nLoad processes join here, by TLS.\n"u8
                    .ToArray(),
                cancellationToken);
            await DrainAsync(connection, cancellationToken);
            return "it did not speak TLS";
        }

        var secure = await _token.AcceptAsync(stream, cancellationToken);
        var hello = await JoinLines.ReadAsync<JoinHello>(secure, cancellationToken);
        var from = ((IPEndPoint)connection.RemoteEndPoint!).Address;
        var why = WhyNot(hello);
        if (why is not null || hello.Role == JoinRole.Clock)
        {
            // Before the answer, upon which its other connection comes and is asked for this one.
            if (why is null)
                _clocks[hello.Process] = secure;
            await JoinLines.WriteAsync(secure, new JoinAnswer(why), cancellationToken);
            return why;
        }
        return await AddAsync(hello, secure, from, cancellationToken);
    }

    // With what it has sent unread, closing would take the answer back.
    private static async Task DrainAsync(Socket connection, CancellationToken cancellationToken)
    {
        connection.Shutdown(SocketShutdown.Send);
        var unread = new byte[1_024];
        while (await connection.ReceiveAsync(unread, cancellationToken) > 0)
        {
            // Until it closes.
        }
    }

    private string? WhyNot(JoinHello hello)
    {
        if (hello.Build != ThisBuild.Hash)
            return $"it is build {hello.Build} of version {hello.Version}, and the run is build {ThisBuild.Hash} of {ThisProgram.Version}: "
                + "use copies of one build, or one image";
        if (hello.Frequency != Stopwatch.Frequency)
            return Invariant($"its clock has {hello.Frequency} steps a second, and that of the run {Stopwatch.Frequency}");
        if (hello.OpenFiles < _openFiles)
            return Invariant($"it may open {hello.OpenFiles} files and its share of the clients needs {_openFiles}: raise its limit ")
                + "(ulimit -n), or use more load processes";
        return hello.Role == JoinRole.Orders && !_clocks.ContainsKey(hello.Process) ? "it has no connection for its clock" : null;
    }

    private async Task<string?> AddAsync(JoinHello hello, Stream stream, IPAddress from, CancellationToken cancellationToken)
    {
        JoinedWorker? worker = null;
        lock (_gate)
        {
            if (_free.Count > 0 && _clocks.TryRemove(hello.Process, out var clock))
            {
                worker = new JoinedWorker(_free.Min, from, hello, clock, stream);
                _free.Remove(worker.Number);
            }
        }
        if (worker is null)
        {
            var why = Invariant($"the run has its {_workers} load processes already");
            await JoinLines.WriteAsync(stream, new JoinAnswer(why), cancellationToken);
            return why;
        }
        try
        {
            await JoinLines.WriteAsync(stream, new JoinAnswer(null), cancellationToken);
            // It has time of its own for this.
            if (!await worker.IsThereAsync(_closing.Token))
                throw new EndOfStreamException();
        }
        catch
        {
            await FreeAsync(worker);
            throw;
        }
        await _say($"{worker.Name} from {from}: {hello}");
        lock (_gate)
        {
            _joined.Add(worker);
            if (_joined.Count == _workers)
                _all.TrySetResult();
        }
        return null;
    }

    // While they wait for the others, they may be stopped, or lose their network.
    private async Task DropGoneAsync(CancellationToken cancellationToken)
    {
        JoinedWorker[] joined;
        lock (_gate)
            joined = [.. _joined];
        foreach (var worker in joined)
        {
            if (await worker.IsThereAsync(cancellationToken))
                continue;
            lock (_gate)
            {
                _joined.Remove(worker);
                _all = new(TaskCreationOptions.RunContinuationsAsynchronously);
            }
            await FreeAsync(worker);
            await _say($"{worker.Name} from {worker.From} has gone away: its place is free");
        }
    }

    private async Task FreeAsync(JoinedWorker worker)
    {
        await worker.DisposeAsync();
        lock (_gate)
            _free.Add(worker.Number);
    }

    // Once for each reason: a flood must not fill the screen.
    private async Task SayRefusedAsync(string why)
    {
        if (!_closing.IsCancellationRequested && _refused.AddOrUpdate(why, 1, (_, count) => count + 1) == 1)
            await _say($"refused a connection: {why}");
    }
}

/// <summary>How load processes join a run.</summary>
/// <param name="EndPoint">Where.</param>
/// <param name="TokenFile">Has the token.</param>
/// <param name="Patience">How long they are waited for.</param>
public sealed record JoinOptions(IPEndPoint EndPoint, string TokenFile, TimeSpan Patience)
{
    public const string At = "--join-at";
    public const string Within = "--join-within";

    /// <summary>Of <see cref="Patience"/>.</summary>
    public static TimeSpan DefaultPatience { get; } = TimeSpan.FromMinutes(10);

    /// <summary>Waits for the load processes of a run.</summary>
    /// <inheritdoc cref="JoinListener.AllAsync"/>
    public async Task<IReadOnlyList<JoinedWorker>> WaitAsync(RunJob job, Terminal terminal, CancellationToken stopping)
    {
        using var token = JoinToken.Read(TokenFile);
        var scenario = job.Scenario;
        var clients = ((scenario.MaxUsers + scenario.Workers - 1) / scenario.Workers) * scenario.ConnectionsPerUser;
        await using var listener = new JoinListener(
            EndPoint, token, scenario.Workers, Demand.DescriptorsFor(clients), line => terminal.WriteAsync("join", line), terminal.Time);
        await terminal.WriteAsync(
            "join", Invariant($"waiting for {scenario.Workers} of: {ThisProgram.Name} {WorkerProgram.Command} --join ")
                + $"https://THIS-MACHINE:{listener.EndPoint.Port} {JoinToken.Option} FILE");
        return await listener.AllAsync(Patience, stopping);
    }
}
