using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using PubSubOverWs.Queues;
using PubSubOverWs.Redis;

namespace PubSubOverWs.EndToEndTests.Queues;

/// <summary>A Redis that writes what it takes to its disk before it answers.</summary>
public sealed class RedisServer : IQueueServer, IAsyncLifetime
{
    private readonly string _folder = Directory.CreateTempSubdirectory("redis-").FullName;
    private readonly int _port = FreePort();
    private Process? _process;

    public Uri Address => new(string.Create(CultureInfo.InvariantCulture, $"redis://127.0.0.1:{_port}"));

    public async Task InitializeAsync()
    {
        if (Needs.Missing(Needed.Redis) is null)
            await StartAsync();
    }

    public IQueue Connect(Uri address) => new RedisQueue(
        new RedisOptions { Url = new Uri($"redis://{address.Authority}"), RequestTimeout = TimeSpan.FromSeconds(5) }, TimeProvider.System);

    public async Task RestartAsync()
    {
        await KillAsync();
        await StartAsync();
    }

    public async Task DisposeAsync()
    {
        if (_process is not null)
            await KillAsync();
        Directory.Delete(_folder, recursive: true);
    }

    public async Task StartAsync()
    {
        _process = Process.Start(new ProcessStartInfo(
            "redis-server",
            [
                "--port", $"{_port}", "--bind", "127.0.0.1", "--protected-mode", "no",
                "--dir", _folder, "--save", "", "--appendonly", "yes", "--appendfsync", "always",
            ])
        { RedirectStandardOutput = true })!;
        _process.OutputDataReceived += (_, _) => { };
        _process.BeginOutputReadLine();
        await Waiting.UntilAsync(AnswersAsync, $"Redis answers at port {_port}");
    }

    private async Task<bool> AnswersAsync()
    {
        using var client = new TcpClient();
        try
        {
            await client.ConnectAsync(IPAddress.Loopback, _port);
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }

    public async Task KillAsync()
    {
        _process!.Kill();
        await _process.WaitForExitAsync();
        _process.Dispose();
    }

    // Free at this moment.
    private static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }
}
