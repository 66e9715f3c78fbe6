using System.Diagnostics;
using System.Reflection;
using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.EndToEndTests.Node;

/// <summary>
/// The clients from npm, pinned by <c>package-lock.json</c>. They are installed once, when <c>node_modules</c> is missing or older than the
/// lock file.
/// </summary>
public static class NodeProject
{
    private const int LeastVersion = 20;

    private static readonly Lazy<string?> Problem = new(FindProblem);

    /// <summary>Why these tests cannot run here: what is missing. Null: they can.</summary>
    public static string? Missing => Problem.Value;

    /// <summary>Where the clients, their lock file and what uses them are.</summary>
    public static string Folder { get; } = typeof(NodeProject).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>()
        .Single(attribute => attribute.Key == "NodeProject").Value!;

    /// <summary>Runs a file of tests (<c>node:test</c>) of this folder.</summary>
    /// <param name="file">Such as <c>sqs.test.mjs</c>.</param>
    /// <param name="environment">What it needs to know, such as an address.</param>
    /// <exception cref="Xunit.Sdk.XunitException">A test failed; the message is all that the run said.</exception>
    public static async Task TestAsync(string file, params (string Name, string Value)[] environment)
    {
        var (exitCode, output) = await ExecuteAsync("node", ["--test", "--test-timeout=120000", "--test-reporter=spec", file], environment);
        Assert.True(exitCode == 0, $"node --test {file} ended with {exitCode}:\n{output}");
    }

    /// <summary>Runs a module in this folder until it prints a line.</summary>
    /// <returns>The line; null: the program ended before.</returns>
    public static async Task<string?> FirstLineAsync(string program)
    {
        var start = new ProcessStartInfo("node", ["--input-type=module", "--eval", program])
        { WorkingDirectory = Folder, RedirectStandardOutput = true };
        using var process = Process.Start(start)!;
        try
        {
            return await process.StandardOutput.ReadLineAsync();
        }
        finally
        {
            process.Kill();
            await process.WaitForExitAsync();
        }
    }

    private static string? FindProblem()
    {
        if (Execute("node", "--version") is not { ExitCode: 0 } node)
            return $"Needs Node.js {LeastVersion} or newer: node is not on the PATH.";
        if (!Version.TryParse(node.Output.Trim().TrimStart('v'), out var version) || version.Major < LeastVersion)
            return $"Needs Node.js {LeastVersion} or newer: found {node.Output.Trim()}.";
        var installed = new FileInfo(Path.Combine(Folder, "node_modules", ".package-lock.json"));
        if (installed.Exists && installed.LastWriteTimeUtc >= File.GetLastWriteTimeUtc(Path.Combine(Folder, "package-lock.json")))
            return null;
        return Execute(OperatingSystem.IsWindows() ? "npm.cmd" : "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund") switch
        {
            null => "Needs npm to install the clients: npm is not on the PATH.",
            { ExitCode: 0 } => null,
            var failed => $"Needs the packages of package-lock.json: npm ci failed: {failed.Value.Output.Trim().Split('\n')[^1]}",
        };
    }

    private static (int ExitCode, string Output)? Execute(string program, params string[] arguments)
    {
        try
        {
            // An attribute asks while tests are discovered, and cannot wait in any other way.
            return Task.Run(() => ExecuteAsync(program, arguments, [])).GetAwaiter().GetResult();
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return null;
        }
    }

    private static async Task<(int ExitCode, string Output)> ExecuteAsync(
        string program, string[] arguments, (string Name, string Value)[] environment)
    {
        var start = new ProcessStartInfo(program, arguments)
        { WorkingDirectory = Folder, RedirectStandardOutput = true, RedirectStandardError = true };
        foreach (var (name, value) in environment)
            start.Environment[name] = value;
        using var process = Process.Start(start)!;
        var output = process.StandardOutput.ReadToEndAsync();
        var errors = process.StandardError.ReadToEndAsync();
        await process.WaitForExitAsync();
        return (process.ExitCode, await output + await errors);
    }
}

/// <summary>
/// A server that runs under Node.js. It says <c>listening http://127.0.0.1:PORT</c>, and ends when its standard input closes, which is when
/// it is disposed or these tests end.
/// </summary>
public sealed class NodeServer : IAsyncDisposable
{
    private readonly Process _process;
    private readonly Task<string[]> _rest;

    private NodeServer(Process process, Task<string> errors, Uri address)
    {
        _process = process;
        _rest = Task.WhenAll(process.StandardOutput.ReadToEndAsync(), errors);
        Address = address;
    }

    public Uri Address { get; }

    /// <param name="file">Of the folder of <see cref="NodeProject"/>, such as <c>fauxqs.mjs</c>.</param>
    /// <exception cref="InvalidOperationException">It ended before it listened; the message is all that it said.</exception>
    public static async Task<NodeServer> StartAsync(string file)
    {
        var start = new ProcessStartInfo("node", [file])
        {
            WorkingDirectory = NodeProject.Folder,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        var process = Process.Start(start)!;
        var errors = process.StandardError.ReadToEndAsync();
        while (await process.StandardOutput.ReadLineAsync() is { } line)
        {
            if (ListeningLine.TryParse(line, out var address))
                return new NodeServer(process, errors, address!);
        }
        throw new InvalidOperationException($"node {file} ended before it listened:\n{await errors}");
    }

    public async ValueTask DisposeAsync()
    {
        _process.StandardInput.Close();
        await _process.WaitForExitAsync();
        await _rest;
        _process.Dispose();
    }
}
