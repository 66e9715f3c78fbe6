using System.Diagnostics;
using System.Globalization;

namespace PubSubOverWs.LoadTest.Processes;

/// <summary>
/// A Chromium without windows that shows one page, with a profile of its own. Its processes are killed, and the profile is deleted, when
/// the input of the shell above them closes: the system does that, too, when this program ends for any reason. Linux only.
/// </summary>
public sealed class Chromium : IAsyncDisposable
{
    // $0 is the profile, where temporary files go as well. All processes of the browser are in one session, whose number is the first line
    // of the output.
    private const string Script =
        "trap '' INT HUP; exec 3<&0; TMPDIR=$0 setsid \"$@\" </dev/null 3<&- >&2 & browser=$!; echo $browser; "
            + "(read -r line <&3; kill -s KILL -- -$browser) >/dev/null 2>&1 & "
            + "wait $browser; rm -rf -- \"$0\" || { sleep 1; rm -rf -- \"$0\"; }";

    private static readonly string[] Names = ["chromium", "chromium-browser", "google-chrome"];
    private static readonly TimeSpan StopTimeout = TimeSpan.FromSeconds(10);

    private readonly Process _shell;
    private readonly string _profile;
    private readonly ErrorLog _log = new();
    private readonly TimeProvider _time;
    private IReadOnlyList<int> _processes = [];

    private Chromium(Process shell, string profile, TimeProvider time)
    {
        (_shell, _profile, _time) = (shell, profile, time);
        Exited = WatchAsync();
    }

    /// <summary>The program on the PATH; null: there is none.</summary>
    public static string? Program { get; } = Find(Environment.GetEnvironmentVariable("PATH") ?? "", File.Exists);

    /// <summary>Completes when it has ended, for any reason.</summary>
    public Task Exited { get; }

    /// <summary>Its first process, which is also the number of the session of all.</summary>
    public int Id { get; private set; }

    /// <summary>The end of its standard error.</summary>
    public IReadOnlyList<string> LastLines => _log.LastLines;

    /// <summary>The cores of its first process, as the system lists them.</summary>
    public string Cores => string.Join(' ', ThreadMasks.Of(Id));

    /// <summary>The resources of the processes that <see cref="Look"/> has found.</summary>
    public ProcessUse Use => _processes.Select(ProcessUse.Of).OfType<ProcessUse>()
        .Aggregate(default(ProcessUse), (sum, one) => new(sum.Cpu + one.Cpu, sum.ResidentBytes + one.ResidentBytes));

    /// <param name="path">Folders, as in the variable PATH.</param>
    public static string? Find(string path, Func<string, bool> exists) =>
    (
        from name in Names
        from folder in path.Split(Path.PathSeparator, StringSplitOptions.RemoveEmptyEntries)
        let file = Path.Combine(folder, name)
        where exists(file)
        select file).FirstOrDefault();

    /// <param name="program">From <see cref="Program"/>.</param>
    /// <param name="core">Of all its processes; null: not pinned.</param>
    /// <exception cref="ChildException">It could not be started.</exception>
    public static async Task<Chromium> StartAsync(
        string program, int? core, Uri page, TimeProvider time, CancellationToken cancellationToken)
    {
        var profile = Directory.CreateTempSubdirectory("pubsub-over-ws-").FullName;
        string[] pin = core is { } one ? ["taskset", "-c", $"{one}"] : [];
        var shell = Process.Start(
            new ProcessStartInfo("sh", ["-c", Script, profile, .. pin, program, .. Flags(profile), page.AbsoluteUri])
            {
                RedirectStandardInput = true,
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            })!;
        var browser = new Chromium(shell, profile, time);
        try
        {
            var first = await shell.StandardOutput.ReadLineAsync(cancellationToken);
            browser.Id = int.TryParse(first, NumberStyles.None, CultureInfo.InvariantCulture, out var id)
                ? id
                : throw new ChildException($"The browser {program} could not be started: its shell ended at once.");
            return browser;
        }
        catch
        {
            await browser.DisposeAsync();
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
            await Exited;
            if (Directory.Exists(_profile))
                Directory.Delete(_profile, recursive: true);
        }

        _shell.Dispose();
    }

    // Nothing but the page: no updates, no accounts, no proxy, and no network of its own.
    private static string[] Flags(string profile) =>
    [
        "--headless", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
        "--disable-sync", "--no-proxy-server", $"--user-data-dir={profile}",
        // It refuses to run as root with its sandbox.
        .. Environment.IsPrivilegedProcess ? ["--no-sandbox"] : Array.Empty<string>(),
    ];

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
