using System.Collections.Concurrent;
using System.Runtime.Versioning;
using System.Security.Cryptography;
using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.LoadTest.Harness.Processes;

/// <summary>A server that this program started on a free loopback port. Disposing it stops the process, or kills it if need be.</summary>
public sealed class ChildServer : IQueueProcess, IAsyncDisposable
{
    private static readonly TimeSpan BetweenLooks = TimeSpan.FromMilliseconds(25);

    private readonly ChildCommand _command;
    private readonly ChildOptions _options;

    // One for each restart in a block.
    private readonly ConcurrentQueue<ChildExit> _predecessors = [];
    private readonly HeldPort _port;
    private ChildProcess _process;
    private ChildExit? _exit;

    private ChildServer(ChildCommand command, ChildOptions options, HeldPort port)
    {
        _command = command;
        _options = options;
        _port = port;
        Address = new Uri($"http://{port.EndPoint}");
        _process = ChildProcess.Start(command, Address, options);
    }

    public string Name => _command.Name;

    /// <summary>Such as <c>http://127.0.0.1:40123/</c>; the same after a restart.</summary>
    public Uri Address { get; private set; }

    /// <summary>How often it was started, including the first time.</summary>
    public int Starts { get; private set; } = 1;

    /// <summary>Completes when all processes that <see cref="ReplaceAsync"/> told to stop have ended.</summary>
    public Task PredecessorEnded { get; private set; } = Task.CompletedTask;

    public int ProcessId => _process.Id;

    /// <summary>Completes when the current process has ended, for any reason.</summary>
    public Task<ChildExit> Exited => _process.Exited;

    public bool IsRunning => !Exited.IsCompleted;

    /// <summary>Of the current process: starts at zero after a restart.</summary>
    public ProcessUse Use => _process.Use;

    /// <summary>The end of its standard error.</summary>
    public IReadOnlyList<string> LastLines => _process.LastLines;

    /// <summary>Starts it and waits until it is ready.</summary>
    /// <exception cref="ChildException">It ended first, or was not ready in time.</exception>
    public static async Task<ChildServer> StartAsync(ChildCommand command, ChildOptions options, CancellationToken cancellationToken)
    {
        if (!File.Exists(command.Assembly))
            throw new ChildException(
                $"The program of {command.Name} is missing: {command.Assembly}. Build the solution again.");
        var port = new HeldPort();
        try
        {
            var server = new ChildServer(command, options, port);
            await server.ReadyAsync(cancellationToken);
            return server;
        }
        catch
        {
            port.Dispose();
            throw;
        }
    }

    /// <summary>Completes when the current process is ready.</summary>
    /// <exception cref="ChildException">It ended first, or was not ready in time, and was killed.</exception>
    public async Task ReadyAsync(CancellationToken cancellationToken)
    {
        using var timeout = new CancellationTokenSource(_options.StartTimeout, _options.Time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(timeout.Token, cancellationToken);
        try
        {
            if (!await Race.WonAsync(WaitUntilHealthyAsync, _process.Exited, either.Token))
                throw ChildFailure.Ended(_command, await EndedAsync(_process.Exited));
        }
        catch (OperationCanceledException) when (timeout.IsCancellationRequested && !cancellationToken.IsCancellationRequested)
        {
            throw ChildFailure.NotReady(_command, _options.StartTimeout, (await KillAsync()).LastLines);
        }
        catch (OperationCanceledException)
        {
            await KillAsync();
            throw;
        }
    }

    /// <summary>
    /// Starts it again on the same port, after <see cref="StopAsync"/> or <see cref="KillAsync"/>; a running one is stopped first.
    /// </summary>
    /// <exception cref="ChildException">It ended first, or was not ready in time.</exception>
    public async Task RestartAsync(CancellationToken cancellationToken)
    {
        await StopAsync();
        _process = ChildProcess.Start(_command, Address, _options);
        _exit = null;
        Starts++;
        await ReadyAsync(cancellationToken);
    }

    /// <summary>
    /// A rolling restart: tells the current process to stop (SIGTERM), and starts another on the same port as soon as that is free, while
    /// the first still finishes. <see cref="PredecessorEnded"/> completes when only the new one is left.
    /// </summary>
    /// <exception cref="ChildException">It had ended already; or the new one ended first, or was not ready in time.</exception>
    public async Task ReplaceAsync(CancellationToken cancellationToken)
    {
        if (!IsRunning)
            throw ChildFailure.EndedByItself(Name, await Exited);
        var first = _process;
        first.Terminate();
        var ended = first.EndWithinAsync(_options.StopTimeout, _options.Time);
        PredecessorEnded = Task.WhenAll(PredecessorEnded, ended);
        await WaitUntilPortIsFreeAsync(cancellationToken);
        _process = ChildProcess.Start(_command, Address, _options);
        PredecessorEnded = Task.WhenAll(PredecessorEnded, DisposeAsync(first, ended));
        _exit = null;
        Starts++;
        await ReadyAsync(cancellationToken);
    }

    /// <summary>Closes its standard input, and kills it if it has not ended after <see cref="ChildOptions.StopTimeout"/>.</summary>
    public async Task<ChildExit> StopAsync()
    {
        if (_exit is not null)
            return _exit;
        _process.CloseInput();
        return await EndedAsync(_process.EndWithinAsync(_options.StopTimeout, _options.Time));
    }

    /// <summary>Suspends the current process (SIGSTOP) until <see cref="Resume"/>.</summary>
    [UnsupportedOSPlatform("windows")]
    public void Pause() => _process.Pause();

    /// <summary>Resumes it (SIGCONT).</summary>
    [UnsupportedOSPlatform("windows")]
    public void Resume() => _process.Resume();

    /// <summary>Whether a signal stopped the current process since the last call, or it is stopped. Not known on Windows: false.</summary>
    public bool WasStopped() => !OperatingSystem.IsWindows() && ProcessSignal.WasStopped(ProcessId);

    /// <summary>Kills it, unless it has ended.</summary>
    public async Task<ChildExit> KillAsync()
    {
        if (_exit is not null)
            return _exit;
        _process.Kill();
        return await EndedAsync(_process.Exited);
    }

    /// <summary>Kills it as a fault: it must be running.</summary>
    /// <exception cref="ChildException">It had ended already.</exception>
    public async Task KillRunningAsync()
    {
        if (await KillAsync() is { Killed: false } exit)
            throw ChildFailure.EndedByItself(Name, exit);
    }

    /// <summary>How the processes that <see cref="ReplaceAsync"/> told to stop have ended; each is returned once.</summary>
    public IEnumerable<ChildExit> TakePredecessors()
    {
        while (_predecessors.TryDequeue(out var exit))
            yield return exit;
    }

    public async ValueTask DisposeAsync()
    {
        using (_port)
        {
            await StopAsync();
            await PredecessorEnded;
        }
    }

    private async Task DisposeAsync(ChildProcess process, Task<ChildExit> ended)
    {
        _predecessors.Enqueue(await ended);
        process.Dispose();
    }

    private async Task WaitUntilPortIsFreeAsync(CancellationToken cancellationToken)
    {
        while (await IsTakenAsync(cancellationToken))
            await Task.Delay(BetweenLooks, _options.Time, cancellationToken);
    }

    private async Task<bool> IsTakenAsync(CancellationToken cancellationToken)
    {
        try
        {
            using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
            await socket.ConnectAsync(IPAddress.Parse(Address.Host), Address.Port, cancellationToken);
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }

    private async Task<ChildExit> EndedAsync(Task<ChildExit> exited)
    {
        _exit = await exited;
        _process.Dispose();
        return _exit;
    }

    private async Task WaitUntilHealthyAsync(CancellationToken cancellationToken)
    {
        Address = await _process.Listening.WaitAsync(cancellationToken);
        using var http = new HttpClient(new SocketsHttpHandler { UseProxy = false });
        var health = new Uri(Address, _command.HealthPath);
        while (await StatusAsync(http, health, cancellationToken) != HttpStatusCode.OK)
            await Task.Delay(BetweenLooks, _options.Time, cancellationToken);
    }

    private static async Task<HttpStatusCode?> StatusAsync(HttpClient http, Uri address, CancellationToken cancellationToken)
    {
        try
        {
            using var response = await http.GetAsync(address, cancellationToken);
            return response.StatusCode;
        }
        catch (HttpRequestException)
        {
            return null;
        }
    }
}

/// <summary>
/// Reserves a port of 127.0.0.1 for a server while it is down. Bound and not listening: a server that sets SO_REUSEADDR, as .NET does on
/// Unix for every TCP socket that is bound, can listen there, and the system chooses the port for no other socket.
/// </summary>
internal sealed class HeldPort : IDisposable
{
    // Other systems let nobody listen where another socket is bound.
    private readonly Socket? _socket =
        OperatingSystem.IsLinux() ? new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) : null;

    public HeldPort()
    {
        _socket?.Bind(EndPoint);
        EndPoint = (IPEndPoint?)_socket?.LocalEndPoint ?? EndPoint;
    }

    /// <summary>Where the server is to listen; not on Linux: on any port of 127.0.0.1.</summary>
    public IPEndPoint EndPoint { get; } = new(IPAddress.Loopback, 0);

    public void Dispose() => _socket?.Dispose();
}

/// <summary>
/// A port of 127.0.0.1 on which nothing listens, below those that systems give out by themselves (32,768 on, on Linux), so that it stays
/// free while its server is down. Another process that names its port may take it before the caller does.
/// </summary>
internal static class FreePort
{
    private const int First = 10_000;
    private const int End = 32_000;

    public static int Find()
    {
        while (true)
        {
            var port = RandomNumberGenerator.GetInt32(First, End);
            try
            {
                using var listener = new TcpListener(IPAddress.Loopback, port);
                listener.Start();
                return port;
            }
            catch (SocketException error) when (error.SocketErrorCode is SocketError.AddressAlreadyInUse or SocketError.AccessDenied)
            {
                // Another one.
            }
        }
    }
}

/// <summary>Work that is cancelled when something else happens first.</summary>
public static class Race
{
    /// <summary>
    /// True: <paramref name="work"/> completed first. False: <paramref name="end"/> did, and the work was cancelled and has ended.
    /// </summary>
    /// <exception cref="OperationCanceledException">The caller cancelled.</exception>
    public static async Task<bool> WonAsync(Func<CancellationToken, Task> work, Task end, CancellationToken cancellationToken)
    {
        using var cancellation = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var working = work(cancellation.Token);
        if (await Task.WhenAny(working, end) == working)
        {
            await working;
            return true;
        }

        await cancellation.CancelAsync();
        await working.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing); // Its result no longer matters.
        return false;
    }
}
