using System.Text;
using System.Text.Json;
using Microsoft.Extensions.Hosting.Internal;
using Microsoft.Extensions.Logging.Abstractions;
using PubSubOverWs.PubSubServer;
using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;
using PubSubOverWs.Tests.LocalSqs;
using PubSubOverWs.Tests.Relay;

namespace PubSubOverWs.Tests.PubSubServer;

/// <summary>A pubsub server over a queue of LocalSqs, from its start to its crash or its end.</summary>
internal sealed class CrashingServer
{
    private readonly LocalSqsHost _queues;
    private readonly CutHandler _way;
    private readonly SqsOverHttp _sqs;
    private readonly ApplicationLifetime _application = new(NullLogger<ApplicationLifetime>.Instance);
    private QueueBroker? _broker;

    private CrashingServer(LocalSqsHost queues, QueueBrokerOptions options, Action<RelayOptions>? configure)
    {
        _queues = queues;
        _way = new CutHandler(queues.CreateHandler());
        // The clock leaps while calls are under way, and none of them may be given up for that.
        var way = new SqsOptions
        {
            Endpoint = "http://localhost",
            AccessKey = "test",
            SecretKey = "test",
            MaxAttempts = 1,
            RequestTimeout = TimeSpan.FromMinutes(5)
        };
        _sqs = new SqsOverHttp(way, queues.Time, _way);
        Relay = new RelayHarness(
            server => _broker = new QueueBroker(
                options,
                stopping => SingleServer.OpenAsync(
                    Sample.Server(queues.Time, options, server.Meter, _sqs), server.Subscriptions.Deliver, stopping),
                _application, NullLogger<QueueBroker>.Instance),
            configure);
    }

    public RelayHarness Relay { get; }

    public string QueueUrl => _broker!.Server.Urls.Url;

    /// <summary>How often it has had the queue hide a message for longer.</summary>
    public int Renewed => _way.Renewed;

    /// <summary>
    /// It waits for an answer to that, or has not looked at it: to it a leap of the clock would be an answer that is late.
    /// </summary>
    public bool IsRenewing => _broker!.Server.Leases.SelectMany(leases => leases.All()).Any(lease => lease.IsBeingRenewed);

    public static async Task<CrashingServer> StartAsync(
        LocalSqsHost queues, QueueBrokerOptions options, Action<RelayOptions>? configure = null)
    {
        var server = new CrashingServer(queues, options, configure);
        await server._broker!.StartAsync(CancellationToken.None);
        // It starts on another thread, and would set its timers while the clock leaps.
        await server._way.Polled.Patiently();
        return server;
    }

    /// <summary>The queue hears nothing of it; what runs here is ended only so that it is gone.</summary>
    public async Task CrashAsync()
    {
        _way.Cut();
        await Relay.DisposeAsync();
        _application.StopApplication();
        await _broker!.StopAsync(CancellationToken.None).Patiently();
        Dispose();
    }

    /// <summary>
    /// Stops as its host stops it; the clients answer the close frame. What was not settled must be back in the queue before the poll under
    /// way ends, for only then does time pass.
    /// </summary>
    public async Task StopAsync()
    {
        _application.StopApplication();
        await Relay.Shutdown.StoppingAsync(CancellationToken.None).Patiently();
        await Relay.DisposeAsync();
        var stopped = _broker!.StopAsync(CancellationToken.None);
        await _queues.UntilAsync(QueueUrl, queue => queue.InFlight == 0);
        await stopped.WhileAsync(() => _queues.Time.Advance(TimeSpan.FromSeconds(1)));
        Dispose();
    }

    private void Dispose()
    {
        _broker!.Dispose();
        _sqs.Dispose();
    }
}

/// <summary>
/// The way of a broker to its queue, until it is cut: as for a process that is killed, nothing it had begun is heard of any more.
/// </summary>
internal sealed class CutHandler(HttpMessageHandler inner) : DelegatingHandler(inner)
{
    private readonly CancellationTokenSource _cut = new();
    private readonly TaskCompletionSource _polled = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _renewed;

    /// <summary>Messages whose visibility was set so far.</summary>
    public int Renewed => Volatile.Read(ref _renewed);

    /// <summary>Completes when the broker has asked for messages: all its timers are set before that.</summary>
    public Task Polled => _polled.Task;

    public void Cut() => _cut.Cancel();

    protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        if (_cut.IsCancellationRequested)
            throw new HttpRequestException("It is cut.");
        var operation = request.Headers.GetValues("X-Amz-Target").Single();
        if (operation.EndsWith("ReceiveMessage", StringComparison.Ordinal))
            _polled.TrySetResult();
        using var either = CancellationTokenSource.CreateLinkedTokenSource(_cut.Token, cancellationToken);
        try
        {
            var answer = await base.SendAsync(request, either.Token);
            if (operation.EndsWith("ChangeMessageVisibilityBatch", StringComparison.Ordinal))
                Interlocked.Add(ref _renewed, await SuccessfulAsync(answer, either.Token));
            return answer;
        }
        catch (OperationCanceledException) when (_cut.IsCancellationRequested)
        {
            throw new HttpRequestException("It was cut.");
        }
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
            _cut.Dispose();
        base.Dispose(disposing);
    }

    // The rest is what was deleted just before.
    private static async Task<int> SuccessfulAsync(HttpResponseMessage answer, CancellationToken cancellationToken)
    {
        await answer.Content.LoadIntoBufferAsync(cancellationToken);
        using var read = JsonDocument.Parse(await answer.Content.ReadAsByteArrayAsync(cancellationToken));
        return read.RootElement.TryGetProperty("Successful", out var successful) ? successful.GetArrayLength() : 0;
    }
}

/// <summary>A way to a queue on which a test acts before a call or after it. Calls are told by name, with their JSON behind it.</summary>
internal sealed class HookedHandler(HttpMessageHandler inner) : DelegatingHandler(inner)
{
    public Func<string, Task> Before { get; set; } = _ => Task.CompletedTask;

    public Func<string, Task> After { get; set; } = _ => Task.CompletedTask;

    protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        var call = request.Headers.GetValues("X-Amz-Target").Single()["AmazonSQS.".Length..]
            + Encoding.UTF8.GetString(await request.Content!.ReadAsByteArrayAsync(cancellationToken));
        await Before(call);
        var answer = await base.SendAsync(request, cancellationToken);
        await After(call);
        return answer;
    }
}
