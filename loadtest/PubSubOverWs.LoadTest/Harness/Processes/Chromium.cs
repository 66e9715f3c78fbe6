namespace PubSubOverWs.LoadTest.Harness.Processes;

/// <summary>A Chromium without windows that shows one page, with a profile of its own. Linux only.</summary>
public sealed class Chromium : IAsyncDisposable
{
    private static readonly string[] Names = ["chromium", "chromium-browser", "google-chrome"];

    private readonly SessionProcess _session;

    private Chromium(SessionProcess session) => _session = session;

    /// <summary>The program on the PATH; null: there is none.</summary>
    public static string? Program { get; } = Find(Environment.GetEnvironmentVariable("PATH") ?? "", File.Exists);

    /// <inheritdoc cref="SessionProcess.Exited"/>
    public Task Exited => _session.Exited;

    /// <inheritdoc cref="SessionProcess.Id"/>
    public int Id => _session.Id;

    /// <summary>The end of its standard error.</summary>
    public IReadOnlyList<string> LastLines => _session.LastLines;

    /// <summary>The cores of its first process, as the system lists them.</summary>
    public string Cores => string.Join(' ', ThreadMasks.Of(Id));

    /// <inheritdoc cref="SessionProcess.Use"/>
    public ProcessUse Use => _session.Use;

    /// <param name="path">Folders, as in the variable PATH.</param>
    public static string? Find(string path, Func<string, bool> exists) =>
        Names.Select(name => PathFolders.Find(name, path, exists)).FirstOrDefault(file => file is not null);

    /// <param name="program">From <see cref="Program"/>.</param>
    /// <param name="core">Of all its processes; null: not pinned.</param>
    /// <exception cref="ChildException">It could not be started.</exception>
    public static async Task<Chromium> StartAsync(
        string program, int? core, Uri page, TimeProvider time, CancellationToken cancellationToken)
    {
        var profile = Directory.CreateTempSubdirectory("pubsub-over-ws-").FullName;
        string[] pin = core is { } one ? ["taskset", "-c", $"{one}"] : [];
        return new Chromium(await SessionProcess.StartAsync(
            $"The browser {program}", profile, [.. pin, program, .. Flags(profile), page.AbsoluteUri], time, cancellationToken));
    }

    /// <inheritdoc cref="SessionProcess.Look"/>
    public void Look() => _session.Look();

    /// <inheritdoc cref="SessionProcess.DisposeAsync"/>
    public ValueTask DisposeAsync() => _session.DisposeAsync();

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
    /// <param name="path">Folders, as in the variable PATH.</param>
    public static string? Find(string name, string path, Func<string, bool> exists) => path
        .Split(Path.PathSeparator, StringSplitOptions.RemoveEmptyEntries).Select(folder => Path.Combine(folder, name))
        .FirstOrDefault(exists);
}
