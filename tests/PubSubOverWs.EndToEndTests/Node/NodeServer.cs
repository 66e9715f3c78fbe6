using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.EndToEndTests.Node;

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
