using System.Globalization;
using System.Net.Http.Json;
using System.Text.Json;
using PubSubOverWs.LoadTest.Clients;
using PubSubOverWs.LoadTest.Network.Control;
using PubSubOverWs.LoadTest.Network.Toxics;
using PubSubOverWs.LoadTest.Processes;

namespace PubSubOverWs.LoadTest.Network;

/// <summary>
/// A fault proxy that this program started in front of a server. Every order throws <see cref="ChildException"/> if the proxy does not
/// answer or cannot carry it out, and <see cref="ArgumentException"/> if a value is out of range.
/// </summary>
public sealed class FaultProxy : IAsyncDisposable
{
    private readonly HttpClient _http;

    private FaultProxy(ChildServer process)
    {
        Process = process;
        _http = new HttpClient(new SocketsHttpHandler { UseProxy = false })
        { BaseAddress = process.Address, Timeout = TimeSpan.FromSeconds(10) };
    }

    public ChildServer Process { get; }

    /// <summary>Where clients connect instead of to the server.</summary>
    public Uri Address { get; private set; } = new("http://127.0.0.1:0");

    /// <param name="server">The server: <c>http://HOST:PORT</c>.</param>
    /// <param name="connections">The most at a time, 1 to <see cref="FaultProxyProcess.MostConnections"/>; further ones are reset.</param>
    /// <exception cref="ChildException">It ended first, or was not ready in time.</exception>
    public static async Task<FaultProxy> StartAsync(Uri server, int connections, ChildOptions options, CancellationToken cancellationToken)
    {
        var proxy = new FaultProxy(await ChildServer.StartAsync(CommandFor(server, connections), options, cancellationToken));
        try
        {
            proxy.Address = (await proxy.StateAsync(cancellationToken)).Address;
            return proxy;
        }
        catch
        {
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
            token => _http.PostAsJsonAsync(new Uri(FaultProxyProcess.OrdersPath, UriKind.Relative), orders, ProxyJson.Options, token),
            cancellationToken);
    }

    public Task<ProxyState> StateAsync(CancellationToken cancellationToken) =>
        AskAsync(token => _http.GetAsync(new Uri(FaultProxyProcess.StatePath, UriKind.Relative), token), cancellationToken);

    /// <summary>Ends the process, and with it every connection that goes through it.</summary>
    public async ValueTask DisposeAsync()
    {
        _http.Dispose();
        await Process.DisposeAsync();
    }

    /// <summary>How to start one; <see cref="StartAsync"/> does.</summary>
    public static ChildCommand CommandFor(Uri server, int connections)
    {
        var count = connections.ToString(CultureInfo.InvariantCulture);
        string[] arguments = [FaultProxyProcess.TargetOption, server.ToString(), FaultProxyProcess.ConnectionsOption, count];
        return ChildCommand.ThisProgram(FaultProxyProcess.Command, arguments) with
        {
            // It only passes bytes on, and shares a core.
            Environment = new Dictionary<string, string> { [InlineCompletions.Variable] = "1" },
        };
    }

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
