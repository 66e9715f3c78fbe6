using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.Queues;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LoadTest.Experiments.Peers.Load;

/// <summary>Fills a queue and empties it, in batches of ten, several calls at a time.</summary>
internal sealed class QueueRow : RowLoad
{
    // The key that LocalSqs knows by default, and that servers which stand in for SQS take.
    private const string Key = "test";

    // Of the messages: for the compiler, before anything is measured.
    private const int WarmUpShare = 10;

    private static readonly ReceiveRequest Receive = new() { WaitTime = TimeSpan.FromSeconds(1) };

    private readonly SendEntry[] _batch;
    private readonly ISqs _sqs;
    private string? _url;
    private long _left;

    public QueueRow(PeersTrial trial)
        : base(trial)
    {
        var options = new SqsOptions
        {
            Client = trial.Trial.Arm.Name == PeersArms.ThroughSdk ? SqsClientKind.AwsSdk : SqsClientKind.Http,
            Endpoint = trial.Servers.TargetOf(0).Address.ToString(),
            Region = "us-east-1",
            AccessKey = Key,
            SecretKey = Key,
        };
        _sqs = SqsClient.Create(options, TimeProvider.System);
        _batch = [.. Enumerable.Repeat(
            new SendEntry(Encoding.ASCII.GetBytes(new string('x', trial.Scenario.PayloadBytes))), QueueLimits.MaxBatchEntries)];
    }

    protected override int Opened => _url is null ? 0 : PeersScenario.QueueCallers;

    public override async Task StopSendingAsync()
    {
        if (_url is { } url)
            await _sqs.DeleteQueueAsync(url, CancellationToken.None);
    }

    public override void Leave() => ((IDisposable)_sqs).Dispose();

    protected override async Task PrepareAsync(CancellationToken stopping)
    {
        _url = await _sqs.CreateQueueAsync(Trial.Name, new QueueSettings(), stopping);
        await ThroughAsync(Trial.Scenario.QueueMessages / WarmUpShare / _batch.Length * _batch.Length, stopping);
    }

    protected override async Task MeasureAsync(CancellationToken stopping)
    {
        var start = Time.GetTimestamp();
        await ThroughAsync(Trial.Scenario.QueueMessages, stopping);
        Keep(Messages, Trial.Scenario.QueueMessages);
        Keep(PeersScenario.Throughput.Name, Trial.Scenario.QueueMessages / Time.GetElapsedTime(start).TotalSeconds);
    }

    private async Task ThroughAsync(long messages, CancellationToken stopping)
    {
        _left = messages;
        await RunAsync(async () =>
        {
            while (Interlocked.Add(ref _left, -_batch.Length) >= 0)
                Check(await _sqs.SendAsync(_url!, _batch, stopping));
        });
        _left = messages;
        await RunAsync(async () =>
        {
            while (Volatile.Read(ref _left) > 0)
            {
                var received = await _sqs.ReceiveAsync(_url!, Receive, stopping);
                if (received.Count == 0)
                    continue;
                Check(await _sqs.SettleAsync(_url!, [.. received.Select(message => message.ReceiptHandle)], stopping));
                Interlocked.Add(ref _left, -received.Count);
            }
        });
    }

    private static Task RunAsync(Func<Task> caller) =>
        Task.WhenAll(Enumerable.Range(0, PeersScenario.QueueCallers).Select(_ => Task.Run(caller)));

    private static void Check(IReadOnlyList<EntryResult> results)
    {
        if (results.Select(result => result.Failure).FirstOrDefault(failure => failure is not null) is { } failure)
            throw new ChildException($"The queue did not do what was asked: {failure.Code}, {failure.Message}");
    }
}
