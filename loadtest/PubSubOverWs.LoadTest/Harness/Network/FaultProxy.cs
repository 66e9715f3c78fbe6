using System.Net.Http.Json;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.LoadTest.Harness.Network;

/// <summary>
/// A fault proxy that this program started in front of a server. Every order throws <see cref="ChildException"/> if the proxy does not
/// answer or cannot carry it out, and <see cref="ArgumentException"/> if a value is out of range.
/// </summary>
public sealed class FaultProxy : IAsyncDisposable
{
    private readonly HttpClient _http;
    private readonly int _number;

    private FaultProxy(ChildServer process, int number = 0)
    {
        Process = process;
        _number = number;
        _http = new HttpClient(new SocketsHttpHandler { UseProxy = false })
        { BaseAddress = process.Address, Timeout = TimeSpan.FromSeconds(10) };
    }

    public ChildServer Process { get; }

    /// <summary>Where clients connect instead of to the server.</summary>
    public Uri Address { get; private set; } = new("http://127.0.0.1:0");

    /// <inheritdoc cref="StartSeveralAsync"/>
    public static async Task<FaultProxy> StartAsync(
        Uri server, int connections, ChildOptions options, CancellationToken cancellationToken) =>
        (await StartSeveralAsync(server, connections, 1, options, cancellationToken))[0];

    /// <summary>Starts proxies in one process, each with toxics of its own. The process ends with the first that is disposed.</summary>
    /// <param name="server">The server: <c>http://HOST:PORT</c>.</param>
    /// <param name="connections">
    /// The most at a time of each, 1 to <see cref="FaultProxyProcess.MaxConnections"/>; further ones are reset.
    /// </param>
    /// <param name="count">1 to <see cref="FaultProxyProcess.MaxProxies"/>.</param>
    /// <exception cref="ChildException">It ended first, or was not ready in time.</exception>
    public static async Task<IReadOnlyList<FaultProxy>> StartSeveralAsync(
        Uri server, int connections, int count, ChildOptions options, CancellationToken cancellationToken)
    {
        var process = await ChildServer.StartAsync(CommandFor(server, connections, count), options, cancellationToken);
        FaultProxy[] proxies = [.. Enumerable.Range(0, count).Select(number => new FaultProxy(process, number))];
        try
        {
            foreach (var proxy in proxies)
                proxy.Address = (await proxy.StateAsync(cancellationToken)).Address;
            return proxies;
        }
        catch
        {
            foreach (var proxy in proxies)
                await proxy.DisposeAsync();
            throw;
        }
    }

    /// <summary>Replaces the toxics, for all open and all later connections; empty: none.</summary>
    public Task<ProxyState> SetAsync(IReadOnlyList<Toxic> toxics, long seed, CancellationToken cancellationToken) =>
        OrderAsync([new ProxyOrder(OrderKind.Toxics) { Toxics = toxics, Seed = seed }], cancellationToken);

    /// <summary>Resets a share of the open connections: 0 to 1.</summary>
    public Task<ProxyState> CutAsync(double share, long seed, CancellationToken cancellationToken) =>
        OrderAsync([new ProxyOrder(OrderKind.Cut) { Share = share, Seed = seed }], cancellationToken);

    /// <summary>Stops listening; connections stay open.</summary>
    public Task<ProxyState> RefuseAsync(CancellationToken cancellationToken) =>
        OrderAsync([new ProxyOrder(OrderKind.Refuse)], cancellationToken);

    public Task<ProxyState> AcceptAsync(CancellationToken cancellationToken) =>
        OrderAsync([new ProxyOrder(OrderKind.Accept)], cancellationToken);

    /// <summary>Stalls all connections; they stay open.</summary>
    public Task<ProxyState> StallAsync(CancellationToken cancellationToken) =>
        OrderAsync([new ProxyOrder(OrderKind.Stall)], cancellationToken);

    public Task<ProxyState> ResumeAsync(CancellationToken cancellationToken) =>
        OrderAsync([new ProxyOrder(OrderKind.Resume)], cancellationToken);

    /// <summary>Ends all faults, and drops those that are scheduled.</summary>
    public Task<ProxyState> CalmAsync(CancellationToken cancellationToken) =>
        OrderAsync([new ProxyOrder(OrderKind.Calm)], cancellationToken);

    /// <summary>Orders that the proxy carries out when they are due; returns the state after those that were due at once.</summary>
    public async Task<ProxyState> OrderAsync(IReadOnlyList<ProxyOrder> orders, CancellationToken cancellationToken)
    {
        if (orders.Select(order => order.FindFault()).FirstOrDefault(fault => fault is not null) is { } wrong)
            throw new ArgumentException(wrong, nameof(orders));
        return await AskAsync(
            token => _http.PostAsJsonAsync(Path(FaultProxyProcess.OrdersPath), orders, ProxyJson.Options, token),
            cancellationToken);
    }

    public Task<ProxyState> StateAsync(CancellationToken cancellationToken) =>
        AskAsync(token => _http.GetAsync(Path(FaultProxyProcess.StatePath), token), cancellationToken);

    /// <summary>Ends the process, and with it every connection that goes through it.</summary>
    public async ValueTask DisposeAsync()
    {
        _http.Dispose();
        await Process.DisposeAsync();
    }

    /// <summary>How to start one process; <see cref="StartSeveralAsync"/> does.</summary>
    public static ChildCommand CommandFor(Uri server, int connections, int count = 1)
    {
        string[] arguments =
        [
            FaultProxyProcess.TargetOption, server.ToString(),
            FaultProxyProcess.ConnectionsOption, connections.ToString(CultureInfo.InvariantCulture),
            FaultProxyProcess.ProxiesOption, count.ToString(CultureInfo.InvariantCulture),
        ];
        return ChildCommand.ThisProgram(FaultProxyProcess.Command, arguments) with
        {
            // It only passes bytes on, and shares a core.
            Environment = new Dictionary<string, string> { [InlineCompletions.Variable] = "1" },
        };
    }

    private Uri Path(string path) => new(FormattableString.Invariant($"{path}?proxy={_number}"), UriKind.Relative);

    private async Task<ProxyState> AskAsync(Func<CancellationToken, Task<HttpResponseMessage>> ask, CancellationToken cancellationToken)
    {
        try
        {
            using var answer = await ask(cancellationToken);
            if (!answer.IsSuccessStatusCode)
                throw Failed(await answer.Content.ReadAsStringAsync(cancellationToken));
            var state = (await answer.Content.ReadFromJsonAsync<ProxyState>(ProxyJson.Options, cancellationToken))!;
            return state.Failure is { } failure ? throw Failed(failure) : state;
        }
        catch (Exception error) when (error is HttpRequestException or JsonException)
        {
            throw Failed(error.Message);
        }
        catch (TaskCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            throw Failed($"no answer within {_http.Timeout.TotalSeconds:0} s");
        }
    }

    private ChildException Failed(string why) =>
        new($"The fault proxy at {Process.Address} failed: {why}");
}
