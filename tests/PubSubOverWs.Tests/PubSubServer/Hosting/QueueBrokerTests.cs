using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting.Internal;
using Microsoft.Extensions.Logging.Abstractions;
using PubSubOverWs.PubSubServer;
using PubSubOverWs.Queues;
using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;
using PubSubOverWs.Tests.LocalSqs;
using PubSubOverWs.Tests.Relay.Brokers;

namespace PubSubOverWs.Tests.PubSubServer;

public sealed class QueueBrokerTests : IDisposable
{
    private readonly FakeTime _time = new();
    private readonly FakeSqs _sqs;
    private readonly ApplicationLifetime _application = new(NullLogger<ApplicationLifetime>.Instance);
    private readonly QueueBroker _broker;

    public QueueBrokerTests()
    {
        _sqs = new FakeSqs(_time);
        var options = new QueueBrokerOptions { Name = "q" };
        _broker = new QueueBroker(
            options, _ => Sample.OpenAsync(_sqs, options, Sample.NoSubscribers(_time).Deliver, _time), _application,
            NullLogger<QueueBroker>.Instance);
    }

    public void Dispose() => _broker.Dispose();

    [Theory]
    [InlineData(SqsErrorCode.Unreachable, true, 10)]
    [InlineData(SqsErrorCode.TimedOut, true, 10)]
    [InlineData(SqsErrorCode.NoCredentials, false, 5)]
    [InlineData(SqsErrorCode.NoRegion, false, 5)]
    [InlineData("AccessDenied", false, 5)]
    public async Task A_queue_that_cannot_be_opened_keeps_the_server_from_starting(string code, bool isRetryable, int exitCode)
    {
        _sqs.Fault = _ => new QueueException(code, "What, where, what to do.", isRetryable);
        var failure = await Assert.ThrowsAsync<StartFailedException>(() => _broker.StartAsync(CancellationToken.None));
        Assert.Equal(("What, where, what to do.", exitCode), (failure.Message, failure.ExitCode));
    }

    [Fact]
    public async Task A_server_is_ready_while_the_queue_answers()
    {
        await _broker.StartAsync(CancellationToken.None);
        var readiness = new QueueReadiness(_broker, _time);
        Assert.Equal(HealthStatus.Healthy, (await readiness.CheckHealthAsync(new HealthCheckContext())).Status);
        _sqs.Fault = call => call == QueueCall.Other ? FakeSqs.Away : null;
        Assert.Equal(HealthStatus.Healthy, (await readiness.CheckHealthAsync(new HealthCheckContext())).Status); // Not asked again.
        _time.Advance(QueueReadiness.Remembered);
        var away = await readiness.CheckHealthAsync(new HealthCheckContext());
        Assert.Equal((HealthStatus.Unhealthy, "The queue is away."), (away.Status, away.Description));
        await StopAsync();
    }

    [Fact]
    public async Task A_server_is_not_ready_while_sends_fail_though_the_queue_answers()
    {
        await _broker.StartAsync(CancellationToken.None);
        var readiness = new QueueReadiness(_broker, _time);
        _sqs.Fault = call => call == QueueCall.Send ? new QueueException("AccessDenied", "You may not send.", isRetryable: false) : null;
        await Assert.ThrowsAsync<BrokerRefusedException>(() => PublishAsync());
        var denied = await readiness.CheckHealthAsync(new HealthCheckContext());
        Assert.Equal((HealthStatus.Unhealthy, "You may not send."), (denied.Status, denied.Description));
        _sqs.Fault = _ => null;
        await PublishAsync();
        _time.Advance(QueueReadiness.Remembered);
        Assert.Equal(HealthStatus.Healthy, (await readiness.CheckHealthAsync(new HealthCheckContext())).Status);
        await StopAsync();

        Task PublishAsync() => _broker.PublishAsync([Sample.Message("m", "/queue/nobody")]).AsTask();
    }

    [Fact]
    public async Task If_the_queue_does_not_answer_within_2_s_the_readiness_check_reports_the_reason_for_the_retries()
    {
        await _broker.StartAsync(CancellationToken.None);
        var readiness = new QueueReadiness(_broker, _time);
        QueueException? reason = FakeSqs.Away;
        _sqs.Fault = call => call == QueueCall.Other ? Lapse() : null;
        Assert.Equal("The queue is away.", (await readiness.CheckHealthAsync(new HealthCheckContext())).Description);
        reason = null;
        _time.Advance(QueueReadiness.Remembered);
        Assert.Equal(
            "The queue http://queue/q did not answer within 2 s: check whether it is overloaded.",
            (await readiness.CheckHealthAsync(new HealthCheckContext())).Description);
        await StopAsync();

        QueueException Lapse()
        {
            _time.Advance(TimeSpan.FromSeconds(2));
            throw new OperationCanceledException("lapsed", reason);
        }
    }

    private async Task StopAsync()
    {
        _application.StopApplication();
        await _broker.StopAsync(CancellationToken.None).WhileAsync(() => _sqs.EndPolls());
    }
}

/// <summary>Over LocalSqs in this process: each test has a queue of its own.</summary>
public sealed class SqsBrokerContractTests(LocalSqsHost queues) : BrokerContract, IClassFixture<LocalSqsHost>
{
    private static int _queues;

    private protected override Task<StartedBroker> StartAsync(Action<RelayOptions>? configure = null) =>
        // With few deliveries no lease runs out while refused messages rest.
        StartAsync(
            new QueueBrokerOptions
            {
                Name = $"contract-{Interlocked.Increment(ref _queues)}",
                PollLoops = 1,
                MaxDeliveries = 4,
                Settle = { Linger = TimeSpan.Zero },
            },
            configure);

    private async Task<StartedBroker> StartAsync(QueueBrokerOptions options, Action<RelayOptions>? configure)
    {
        var server = await CrashingServer.StartAsync(queues, options, configure);
        return new StartedBroker(server.Relay, options.MaxDeliveries)
        {
            PassRest = () => queues.Time.Advance(TimeSpan.FromSeconds(1)),
            RestAsync = () => queues.UntilAsync(server.QueueUrl, queue => queue is { Visible: 0, InFlight: 0 }),
            EndAsync = server.CrashAsync,
            StopAsync = async () =>
            {
                await server.StopAsync();
                return await StartAsync(options, configure);
            },
        };
    }
}
