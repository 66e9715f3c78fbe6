using System.Buffers;
using System.IO.Pipelines;
using System.Net;
using System.Net.WebSockets;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core.Features;
using Microsoft.Extensions.Configuration;

namespace PubSubOverWs.Relay;

/// <summary>
/// Stands on a connection before the web server's HTTP. It answers a handshake that is accepted, and serves its WebSocket on the
/// connection's pipes; anything else, and every error, it leaves to HTTP, unread (docs/decisions/0185).
/// </summary>
internal sealed class LeanFrontEnd(RelayContext relay, WebSocketEndpoint endpoint, IConfiguration configuration)
{
    private readonly RequestDelegate _address = relay.Gate.Proxies.Before(_ => Task.CompletedTask);

    // With these settings the framework puts middleware of its own before the relay, which no handshake may pass by.
    private readonly bool _isOff = configuration["AllowedHosts"] is { Length: > 0 } and not "*"
        || "true".Equals(configuration["ForwardedHeaders_Enabled"], StringComparison.OrdinalIgnoreCase);

    /// <param name="next">HTTP.</param>
    public ConnectionDelegate Before(ConnectionDelegate next) => _isOff
        ? connection => PooledTransport.RunAsync(connection, next)
        : connection => OpenAsync(connection).Then(opened => GoOn(opened, connection, next));

    private Task GoOn((bool IsLeft, Task? Serving) opened, ConnectionContext connection, ConnectionDelegate next)
    {
        if (opened.IsLeft)
            return PooledTransport.RunAsync(connection, next);
        if (opened.Serving is not { } serving)
            return Task.CompletedTask;
        return connection is LeanConnection lean && lean.TryTake(serving, relay.Log) ? Task.CompletedTask : serving;
    }

    /// <summary>Looks at what comes first. A handshake that comes in pieces is left to HTTP, with its time-outs, too.</summary>
    /// <returns>Not left and not served: nothing came in time, or the server stops; the connection is closed without a word.</returns>
    private async Task<(bool IsLeft, Task? Serving)> OpenAsync(ConnectionContext connection)
    {
        var input = connection.Transport.Input;
        var lifetime = connection.Features.GetRequiredFeature<IConnectionLifetimeFeature>();
        if (await FirstAsync(connection, input) is not { } first)
            return (false, null);
        var request = Read(first);
        if (request is null || await AdmitAsync(connection, request) is not { } client)
        {
            input.AdvanceTo(first.Start);
            return (true, null);
        }
        input.AdvanceTo(first.GetPosition(request.Length));
        // It no longer counts among those that are no WebSocket.
        connection.Features.Get<IDecrementConcurrentConnectionCountFeature>()?.ReleaseConnection();
        var socket = new LeanSocket(connection, client.Protocol);
        return (false, endpoint.ServeAsync(OpenAsync(socket, request.Answer(client.Protocol)), client, lifetime));
    }

    private static async Task<(WebSocket Socket, IWire Wire)> OpenAsync(LeanSocket socket, byte[] answer)
    {
        await socket.OpenAsync(answer);
        return (socket, socket);
    }

    private async ValueTask<Client?> AdmitAsync(ConnectionContext connection, UpgradeRequest request)
    {
        request.Context.Connection.RemoteIpAddress = (connection.RemoteEndPoint as IPEndPoint)?.Address;
        await _address(request.Context);
        return endpoint.TryEnter(request.Context, request.IsRaw);
    }

    // Null: nothing came. It usually has come when a connection gets here, and then needs no clock.
    private async ValueTask<ReadOnlySequence<byte>?> FirstAsync(ConnectionContext connection, PipeReader input)
    {
        try
        {
            var reading = input.ReadAsync(CancellationToken.None);
            var read = reading.IsCompleted ? await reading : await WaitAsync(connection, input, reading);
            return read.IsCanceled || read.Buffer.IsEmpty ? null : read.Buffer;
        }
        catch (Exception gone) when (gone is IOException or ConnectionAbortedException)
        {
            return null;
        }
    }

    private async ValueTask<ReadResult> WaitAsync(ConnectionContext connection, PipeReader input, ValueTask<ReadResult> reading)
    {
        var stopping = connection.Features.Get<IConnectionLifetimeNotificationFeature>()?.ConnectionClosedRequested ?? default;
        using var patience = new CancellationTokenSource(relay.Options.HandshakeTimeout, relay.Awake);
        using var stop = stopping.UnsafeRegister(source => ((CancellationTokenSource)source!).Cancel(), patience);
        ReadResult read;
        await using (patience.Token.UnsafeRegister(reader => ((PipeReader)reader!).CancelPendingRead(), input))
            read = await reading;
        // What comes in that instant has come too late: the next read may be cancelled in place of this one.
        return patience.IsCancellationRequested ? new ReadResult(default, isCanceled: true, isCompleted: false) : read;
    }

    private static UpgradeRequest? Read(in ReadOnlySequence<byte> first) => UpgradeRequest.Read(
        first.IsSingleSegment ? first.FirstSpan[..(int)Math.Min(first.Length, UpgradeRequest.MaxBytes)]
            : first.Slice(0, Math.Min(first.Length, UpgradeRequest.MaxBytes)).ToArray());
}
