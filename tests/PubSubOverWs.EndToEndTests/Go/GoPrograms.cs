using System.Diagnostics;
using System.Reflection;

namespace PubSubOverWs.EndToEndTests.Go;

/// <summary>Programs in Go, compiled with Debian's packages and without a network when a test first needs them.</summary>
public static class GoPrograms
{
    private const string Packages = "/usr/share/gocode";

    private static readonly Lazy<Task<string>> Client = new(() => BuildAsync("stream-client", Folder("GoPrograms")));
    private static readonly Lazy<Task<string>> Server = new(() => BuildAsync("stream-server", Folder("Reference")));

    /// <summary>Why these tests cannot run here: what is missing. Null: they can.</summary>
    public static string? Missing { get; } =
        !Directory.Exists($"{Packages}/src/github.com/gorilla/websocket")
            ? "Needs gorilla/websocket: install Debian's package golang-github-gorilla-websocket-dev."
        : !(Environment.GetEnvironmentVariable("PATH") ?? "").Split(':').Any(folder => File.Exists(Path.Combine(folder, "go")))
            ? "Needs Go: go is not on the PATH; install Debian's package golang-go."
        : null;

    /// <summary>The file of the client that <c>stream-client/main.go</c> describes.</summary>
    public static Task<string> StreamClientAsync() => Client.Value;

    /// <summary>The file of the reference server of the experiment stream-interference.</summary>
    public static Task<string> StreamServerAsync() => Server.Value;

    private static string Folder(string key) => typeof(GoPrograms).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>()
        .Single(attribute => attribute.Key == key).Value!;

    private static async Task<string> BuildAsync(string name, string folder)
    {
        var file = Path.Combine(AppContext.BaseDirectory, name);
        var start = new ProcessStartInfo("go", ["build", "-o", file, "main.go"])
        {
            WorkingDirectory = Path.Combine(folder, name),
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        start.Environment["GO111MODULE"] = "off";
        start.Environment["GOPATH"] = Packages;
        start.Environment["GOFLAGS"] = "-buildvcs=false";
        using var process = Process.Start(start)!;
        var output = process.StandardOutput.ReadToEndAsync();
        var errors = process.StandardError.ReadToEndAsync();
        await process.WaitForExitAsync();
        Assert.True(process.ExitCode == 0, $"go build of {name} ended with {process.ExitCode}:\n{await output}{await errors}");
        return file;
    }
}

/// <summary>
/// A fact about a program in Go that uses Debian's package of gorilla/websocket; skipped with the reason where one is missing.
/// </summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class GoFactAttribute : FactAttribute
{
    public GoFactAttribute() => Skip = GoPrograms.Missing;
}
