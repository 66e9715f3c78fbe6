using System.Buffers.Binary;
using System.Diagnostics;
using System.Security.Authentication;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using PubSubOverWs.LoadTest.Harness.Clients;

namespace PubSubOverWs.LoadTest.Harness.Workers.Joining;

/// <summary>A load process that joins a run: it opens the connections, and the run gives its orders over them.</summary>
/// <param name="run">Where the run takes load processes.</param>
/// <param name="token">Of the run.</param>
/// <param name="terminal">For what the process says.</param>
public sealed class JoinProgram(Uri run, JoinToken token, Terminal terminal)
{
    private static readonly TimeSpan BetweenAttempts = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan AttemptTimeout = TimeSpan.FromSeconds(15);
    private static readonly TimeSpan PingDelay = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan PingTimeout = TimeSpan.FromSeconds(10);

    private readonly string _process = Guid.NewGuid().ToString("N");

    /// <summary>Joins as soon as the run is there, and takes orders until the run has ended.</summary>
    /// <param name="patience">How long the run is looked for.</param>
    /// <param name="workloadOf">By the name of the experiment.</param>
    /// <exception cref="RefusalException">The run is not there, has refused this process, or has gone away.</exception>
    public async Task RunAsync(TimeSpan patience, Func<string, ISharedLoad> workloadOf, CancellationToken stopping)
    {
        InlineCompletions.Enable();
        var (clock, orders) = await JoinAsync(patience, stopping);
        await using var first = clock;
        await terminal.WriteAsync("joined", $"{run}, for the clients that it orders; Ctrl-C leaves, which ends the run");
        var answering = AnswerAsync(clock, stopping);
        if (!await ServeAsync(orders, workloadOf, stopping))
            throw new RefusalException(
                ExitCode.Unreachable,
                $"The run at {run} has gone away without a word: see there whether it was stopped or the network was cut, and start this "
                    + "load process again when the run is resumed.");
        await clock.DisposeAsync();
        await answering;
        await terminal.WriteAsync("ended", "the run has ended");
    }

    private async Task<(Stream Clock, Stream Orders)> JoinAsync(TimeSpan patience, CancellationToken stopping)
    {
        var began = terminal.Time.GetTimestamp();
        while (true)
        {
            try
            {
                var clock = await OpenAsync(JoinRole.Clock, stopping);
                try
                {
                    return (clock, await OpenAsync(JoinRole.Orders, stopping));
                }
                catch
                {
                    await clock.DisposeAsync();
                    throw;
                }
            }
            catch (Exception error) when (error is SocketException or IOException or TimeoutException)
            {
                if (terminal.Time.GetElapsedTime(began) > patience)
                    throw new RefusalException(ExitCode.Unreachable, Invariant(
                        $"No run takes load processes at {run} ({error.Message.TrimEnd('.')}); ")
                            + Invariant($"it was tried for {patience.TotalSeconds:0} s: check the address, and whether a run waits ")
                            + $"there with {JoinOptions.At}.", error);
                await Task.Delay(BetweenAttempts, terminal.Time, stopping);
            }
        }
    }

    private async Task<Stream> OpenAsync(JoinRole role, CancellationToken stopping)
    {
        using var limit = new CancellationTokenSource(AttemptTimeout, terminal.Time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, stopping);
        var client = new TcpClient { NoDelay = true };
        try
        {
            await client.ConnectAsync(run.IdnHost, run.Port, either.Token);
            var stream = await token.ConnectAsync(client.GetStream(), either.Token);
            await JoinLines.WriteAsync(stream, JoinHello.OfThisProcess(role, _process), either.Token);
            var answer = await JoinLines.ReadAsync<JoinAnswer>(stream, either.Token);
            if (answer.Refused is { } why)
                throw new RefusalException($"The run at {run} has refused this load process: {why}.");
            return stream;
        }
        catch (Exception error) when (error is AuthenticationException or InvalidDataException)
        {
            client.Dispose();
            throw new RefusalException(
                $"What answers at {run} is no run with the token of {JoinToken.Option}: give both the same file, and check the address.",
                error);
        }
        catch (OperationCanceledException) when (!stopping.IsCancellationRequested)
        {
            client.Dispose();
            throw new TimeoutException(Invariant($"no answer within {AttemptTimeout.TotalSeconds:0} s"));
        }
        catch
        {
            client.Dispose();
            throw;
        }
    }

    // Each byte is a question.
    private static async Task AnswerAsync(Stream clock, CancellationToken stopping)
    {
        var stamp = new byte[sizeof(long)];
        try
        {
            while (await clock.ReadAsync(stamp.AsMemory(0, 1), stopping) == 1)
            {
                BinaryPrimitives.WriteInt64LittleEndian(stamp, Stopwatch.GetTimestamp());
                await clock.WriteAsync(stamp, stopping);
                await clock.FlushAsync(stopping);
            }
        }
        catch (Exception error) when (error is IOException or ObjectDisposedException or OperationCanceledException)
        {
            // The connection for orders says what it means.
        }
    }

    // False: the run has gone away without a word.
    private static async Task<bool> ServeAsync(Stream orders, Func<string, ISharedLoad> workloadOf, CancellationToken stopping)
    {
        var transport = new DialledTransport(orders);
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.SetMinimumLevel(LogLevel.Warning);
        // That a connection ends is said by this program.
        builder.Logging.AddFilter("Microsoft.AspNetCore.Server.Kestrel", LogLevel.None);
        builder.Services.AddSingleton<IConnectionListenerFactory>(transport);
        builder.WebHost.ConfigureKestrel(server =>
        {
            (server.Limits.Http2.KeepAlivePingDelay, server.Limits.Http2.KeepAlivePingTimeout) = (PingDelay, PingTimeout);
            server.Limits.MaxRequestBodySize = null;
            server.Listen(transport.EndPoint, endPoint => endPoint.Protocols = HttpProtocols.Http2);
        });
        await using var app = builder.Build();
        await using var session = new WorkerSession(workloadOf, TimeProvider.System);
        var ended = new TaskCompletionSource();
        WorkerProgram.Map(app, session);
        app.MapPost($"/{WorkerOrders.Stay}", () => Results.NoContent());
        app.MapPost($"/{WorkerOrders.End}", () => ended.TrySetResult());
        await app.StartAsync(stopping);
        var isOver = await Task.WhenAny(ended.Task, transport.Ended).WaitAsync(stopping);
        // The answer to the last order goes out.
        await app.StopAsync(CancellationToken.None);
        return isOver == ended.Task;
    }
}
