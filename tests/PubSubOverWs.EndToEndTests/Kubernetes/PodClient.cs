using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace PubSubOverWs.EndToEndTests.Kubernetes;

/// <summary>The client of <c>Node/kubernetes.mjs</c> in a pod, and what it has said. Ids are <c>DESTINATION NAME NUMBER</c>.</summary>
internal sealed class PodClient : IAsyncDisposable
{
    private readonly Lock _lock = new();
    private readonly Process _process;
    private readonly Task _reading;
    private readonly Task<string> _error;
    private readonly HashSet<string> _taken = [];
    private readonly HashSet<string> _received = [];
    private readonly List<string> _connections = [];
    private TaskCompletionSource<(int Allowed, int Published)>? _answer;
    private int _repeated;

    private PodClient(Process process)
    {
        _process = process;
        _error = process.StandardError.ReadToEndAsync();
        _reading = ReadAsync();
    }

    /// <summary>Ids that a server acknowledged.</summary>
    public HashSet<string> Taken => Read(() => _taken.ToHashSet());

    public HashSet<string> Received => Read(() => _received.ToHashSet());

    /// <summary>How many came that had come here before.</summary>
    public int Repeated => Read(() => _repeated);

    /// <summary>Servers that it was connected to, one after the other, with its subscriptions.</summary>
    public string[] Connections => Read(() => _connections.ToArray());

    /// <summary>What servers refused.</summary>
    public List<string> Errors { get; } = [];

    /// <param name="pod">In which it runs.</param>
    /// <param name="servers">It begins with the first, and goes to the next one when it loses its server.</param>
    public static PodClient Start(Cluster cluster, string pod, string login, string passcode, params string[] servers)
    {
        var what = new { login, passcode, name = pod, servers, every = 10 };
        return new PodClient(cluster.Start("exec", "--stdin", pod, "--", "node", "/kubernetes.mjs", JsonSerializer.Serialize(what)));
    }

    /// <summary>Lets it publish up to this number.</summary>
    /// <returns>Up to which it does, which is more when it was further, and up to which it has.</returns>
    public async Task<(int Allowed, int Published)> AllowAsync(int number)
    {
        _answer = new TaskCompletionSource<(int, int)>(TaskCreationOptions.RunContinuationsAsynchronously);
        await _process.StandardInput.WriteLineAsync(number.ToString(CultureInfo.InvariantCulture));
        await _process.StandardInput.FlushAsync();
        return await _answer.Task.Patiently();
    }

    public async ValueTask DisposeAsync()
    {
        // The client sees its input end.
        _process.Kill();
        await _process.WaitForExitAsync();
        await _reading;
        _process.Dispose();
    }

    private async Task ReadAsync()
    {
        while (await _process.StandardOutput.ReadLineAsync() is { } line)
        {
            lock (_lock)
                Note(JsonNode.Parse(line)!.AsObject());
        }
        var error = await _error;
        _answer?.TrySetException(new InvalidOperationException($"The client ended: {error}"));
    }

    private void Note(JsonObject said)
    {
        var (kind, value) = said.First();
        switch (kind)
        {
            case "taken":
                _taken.Add((string)value!);
                break;
            case "received":
                _repeated += _received.Add((string)value!) ? 0 : 1;
                break;
            case "connected":
                _connections.Add((string)value!);
                break;
            case "error":
                Errors.Add((string)value!);
                break;
            case "allowed":
                _answer!.TrySetResult(((int)value!, (int)said["published"]!));
                break;
        }
    }

    private T Read<T>(Func<T> read)
    {
        lock (_lock)
            return read();
    }
}
