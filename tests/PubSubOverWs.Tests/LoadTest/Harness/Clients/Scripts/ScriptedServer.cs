using System.Net.WebSockets;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;
using PubSubOverWs.LoadTest.Harness.Clients;

namespace PubSubOverWs.Tests.LoadTest.Harness.Clients.Scripts;

/// <summary>
/// A STOMP server in this process that does to its connections, in the order in which they come, what a test says; others find the way
/// closed.
/// </summary>
internal sealed class ScriptedServer : IAsyncDisposable
{
    private readonly WebApplication _app;
    private readonly Func<ScriptedConnection, Task>[] _scripts;
    private readonly TaskCompletionSource[] _played;
    private int _connections;

    private ScriptedServer(Func<string>? stats, Func<ScriptedConnection, Task>[] scripts)
    {
        _scripts = scripts;
        _played = [.. scripts.Select(_ => new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously))];
        var builder = WebApplication.CreateSlimBuilder();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.Logging.ClearProviders();
        _app = builder.Build();
        _app.UseWebSockets();
        _app.Map(ClientTarget.Path, AcceptAsync);
        if (stats is not null)
            _app.MapGet("/stats", stats);
    }

    /// <summary>Completes when every script has come to its end; fails as the first that failed.</summary>
    public Task Played => Task.WhenAll(_played.Select(one => one.Task)).Patiently();

    public Uri Address => new(_app.Urls.First());

    public Task<ClientTarget> TargetAsync() => ClientTarget.ResolveAsync(Address, CancellationToken.None);

    public static Task<ScriptedServer> StartAsync(params Func<ScriptedConnection, Task>[] scripts) => StartAsync(stats: null, scripts);

    /// <param name="stats">What it answers to GET /stats.</param>
    /// <param name="scripts">Of its connections.</param>
    public static async Task<ScriptedServer> StartAsync(Func<string>? stats, params Func<ScriptedConnection, Task>[] scripts)
    {
        var server = new ScriptedServer(stats, scripts);
        await server._app.StartAsync();
        return server;
    }

    public async ValueTask DisposeAsync() => await _app.DisposeAsync();

    private async Task AcceptAsync(HttpContext context)
    {
        var number = Interlocked.Increment(ref _connections) - 1;
        if (number >= _scripts.Length)
        {
            context.Response.StatusCode = StatusCodes.Status503ServiceUnavailable;
            return;
        }
        using var socket = await context.WebSockets.AcceptWebSocketAsync(ClientTarget.SubProtocol);
        var connection = new ScriptedConnection(socket, context.Abort);
        try
        {
            await _scripts[number](connection);
            _played[number].TrySetResult();
            await connection.UntilClosedAsync();
        }
        catch (Exception error) when (error is WebSocketException or InvalidDataException)
        {
            _played[number].TrySetException(error);
        }
    }
}
