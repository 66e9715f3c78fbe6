using System.Diagnostics;
using System.Runtime.Versioning;

namespace PubSubOverWs.LoadTest.Harness.Processes;

/// <summary>
/// A program of others, with all processes that it starts and a folder of its own. The processes are killed, and the folder is deleted,
/// when the input of the shell above them closes: the system does that, too, when this program ends for any reason. Linux only.
/// </summary>
public sealed class SessionProcess : IAsyncDisposable
{
    // $0 is the folder, where temporary files go as well. All processes are in one session, whose number is the first line of the output.
    // A signal to the process group of this program must not end the shells before the other program has ended.
    private const string Script =
        "trap '' INT HUP TERM; exec 3<&0; TMPDIR=$0 setsid \"$@\" </dev/null 3<&- >&2 & program=$!; echo $program; "
            + "(read -r line <&3; kill -s KILL -- -$program) >/dev/null 2>&1 & "
            + "wait $program; [ -e \"$0/keep\" ] || rm -rf -- \"$0\" || { sleep 1; rm -rf -- \"$0\"; }";

    // While it is there the folder is not deleted.
    private const string KeepFile = "keep";

    /// <summary>From one look at a program that starts to the next.</summary>
    public static readonly TimeSpan BetweenLooks = TimeSpan.FromMilliseconds(25);

    private static readonly TimeSpan StopTimeout = TimeSpan.FromSeconds(10);

    private readonly Process _shell;
    private readonly string _folder;
    private readonly ErrorLog _log = new();
    private readonly TimeProvider _time;
    private IReadOnlyList<int> _processes = [];

    private SessionProcess(Process shell, string folder, TimeProvider time)
    {
        _shell = shell;
        _folder = folder;
        _time = time;
        Exited = WatchAsync();
    }

    /// <summary>Completes when it has ended, for any reason.</summary>
    public Task Exited { get; }

    /// <summary>Its first process, which is also the number of the session of all.</summary>
    public int Id { get; private set; }

    /// <summary>The end of its output.</summary>
    public IReadOnlyList<string> LastLines => _log.LastLines;

    /// <summary>The resources of the processes that <see cref="Look"/> has found.</summary>
    public ProcessUse Use => _processes.Select(ProcessUse.Read).OfType<ProcessUse>()
        .Aggregate(default(ProcessUse), (sum, one) => new(sum.Cpu + one.Cpu, sum.ResidentBytes + one.ResidentBytes));

    /// <param name="name">For the error.</param>
    /// <param name="folder">Its own, which is deleted with it.</param>
    /// <exception cref="ChildException">It could not be started.</exception>
    public static async Task<SessionProcess> StartAsync(
        string name, string folder, IEnumerable<string> words, TimeProvider time, CancellationToken cancellationToken)
    {
        var shell = Process.Start(
            new ProcessStartInfo("sh", ["-c", Script, folder, .. words])
            {
                RedirectStandardInput = true,
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            })!;
        var session = new SessionProcess(shell, folder, time);
        try
        {
            var first = await shell.StandardOutput.ReadLineAsync(cancellationToken);
            session.Id = int.TryParse(first, NumberStyles.None, CultureInfo.InvariantCulture, out var id)
                ? id
                : throw new ChildException($"{name} could not be started: its shell ended at once.");
            return session;
        }
        catch
        {
            await session.DisposeAsync();
            throw;
        }
    }

    /// <summary>Finds its processes, which takes some milliseconds: those that start later are not counted.</summary>
    public void Look() => _processes = Sessions.ProcessesOf(Id);

    /// <summary>Completes when all is gone, after at most 10 s.</summary>
    public async ValueTask DisposeAsync()
    {
        _shell.StandardInput.Close();
        try
        {
            await Exited.WaitAsync(StopTimeout, _time);
        }
        catch (TimeoutException)
        {
            _shell.Kill(entireProcessTree: true);
            KillSession();
            await Exited;
            if (Directory.Exists(_folder))
                Directory.Delete(_folder, recursive: true);
        }

        _shell.Dispose();
    }

    /// <summary>Waits until it accepts connections on a port of 127.0.0.1.</summary>
    /// <param name="name">For the error.</param>
    /// <param name="within">Until it counts as one that does not start.</param>
    /// <param name="answers">What must have been done after that; null: nothing.</param>
    /// <exception cref="ChildException">It ended first, or was not ready in time.</exception>
    public async Task ReadyAsync(
        string name, int port, TimeSpan within, CancellationToken cancellationToken, Func<CancellationToken, Task>? answers = null)
    {
        using var timeout = new CancellationTokenSource(within, _time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(timeout.Token, cancellationToken);
        try
        {
            if (await Race.WonAsync(IsReadyAsync, Exited, either.Token))
                return;
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            // It was not ready in time.
        }

        throw new ChildException($"{name} did not start: {string.Join(' ', LastLines)}");

        async Task IsReadyAsync(CancellationToken stopping)
        {
            await AcceptsAsync(port, stopping);
            if (answers is not null)
                await answers(stopping);
        }
    }

    /// <summary>Stops all its processes (SIGSTOP).</summary>
    [UnsupportedOSPlatform("windows")]
    public void Pause()
    {
        foreach (var process in Sessions.ProcessesOf(Id))
            ProcessSignal.Stop(process);
    }

    /// <summary>Kills all its processes, and leaves the folder to a session that goes on in it. This one is disposed then.</summary>
    public async Task KillAsync()
    {
        var keep = Path.Combine(_folder, KeepFile);
        await File.WriteAllTextAsync(keep, "");
        KillSession();
        await Exited;
        File.Delete(keep);
        _shell.Dispose();
    }

    private async Task AcceptsAsync(int port, CancellationToken cancellationToken)
    {
        while (true)
        {
            try
            {
                using var client = new TcpClient();
                await client.ConnectAsync(IPAddress.Loopback, port, cancellationToken);
                return;
            }
            catch (SocketException)
            {
                await Task.Delay(BetweenLooks, _time, cancellationToken);
            }
        }
    }

    // Without its shell nobody else does it, and the processes hold the output that is read to its end.
    private void KillSession()
    {
        if (Id == 0 || OperatingSystem.IsWindows())
            return;
        foreach (var process in Sessions.ProcessesOf(Id))
            ProcessSignal.Kill(process);
    }

    private async Task WatchAsync()
    {
        await _log.ReadAllAsync(_shell.StandardError);
        await _shell.WaitForExitAsync();
    }
}

/// <summary>The sessions of Linux: processes that were started by one that called <c>setsid</c>.</summary>
public static class Sessions
{
    /// <summary>Its processes now.</summary>
    public static IReadOnlyList<int> ProcessesOf(int session) =>
    [
        .. from folder in Directory.EnumerateDirectories("/proc")
           where int.TryParse(Path.GetFileName(folder), NumberStyles.None, CultureInfo.InvariantCulture, out _)
           where Read(folder) is { } stat && Parse(stat) == session
           select int.Parse(Path.GetFileName(folder), CultureInfo.InvariantCulture),
    ];

    /// <summary>The session in a <c>/proc/PID/stat</c>: <c>42 (a name) S 1 40 39 ...</c>, of which the name may hold anything.</summary>
    public static int Parse(string stat) =>
        int.Parse(stat[(stat.LastIndexOf(')') + 2)..].Split(' ')[3], CultureInfo.InvariantCulture);

    private static string? Read(string folder)
    {
        try
        {
            return File.ReadAllText(Path.Combine(folder, "stat"));
        }
        catch (IOException)
        {
            return null; // It has ended.
        }
    }
}

/// <summary>A Chromium without windows that shows one page, with a profile of its own. Linux only.</summary>
public static class Chromium
{
    private static readonly string[] Names = ["chromium", "chromium-browser", "google-chrome"];

    /// <summary>The program on the PATH; null: there is none.</summary>
    public static string? Program { get; } = Find(Environment.GetEnvironmentVariable("PATH") ?? "", File.Exists);

    /// <param name="path">Folders, as in the variable PATH.</param>
    public static string? Find(string path, Func<string, bool> exists) =>
        Names.Select(name => PathFolders.Find(name, path, exists)).FirstOrDefault(file => file is not null);

    /// <param name="core">Of all its processes; null: not pinned.</param>
    /// <exception cref="ChildException">There is none, or it could not be started.</exception>
    public static async Task<SessionProcess> StartAsync(int? core, Uri page, TimeProvider time, CancellationToken cancellationToken)
    {
        var program = Program ?? throw new ChildException("There is no Chromium on the PATH.");
        var profile = Directory.CreateTempSubdirectory("pubsub-over-ws-").FullName;
        string[] pin = core is { } one ? ["taskset", "-c", $"{one}"] : [];
        return await SessionProcess.StartAsync(
            $"The browser {program}", profile, [.. pin, program, .. Flags(profile), page.AbsoluteUri], time, cancellationToken);
    }

    // Nothing but the page: no updates, no accounts, no proxy, and no network of its own.
    private static string[] Flags(string profile) =>
    [
        "--headless", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
        "--disable-sync", "--no-proxy-server", $"--user-data-dir={profile}",
        // It refuses to run as root with its sandbox.
        .. Environment.IsPrivilegedProcess ? ["--no-sandbox"] : Array.Empty<string>(),
    ];
}

/// <summary>Programs in the folders of a variable PATH.</summary>
internal static class PathFolders
{
    /// <summary>The first program of this name; null: there is none.</summary>
    /// <param name="name">One with a slash is a path, as in a shell.</param>
    /// <param name="path">Folders, as in the variable PATH.</param>
    public static string? Find(string name, string path, Func<string, bool> exists) =>
        (name.Contains('/', StringComparison.Ordinal)
            ? [Path.GetFullPath(name)]
            : path.Split(Path.PathSeparator, StringSplitOptions.RemoveEmptyEntries).Select(folder => Path.Combine(folder, name)))
        .FirstOrDefault(exists);
}
