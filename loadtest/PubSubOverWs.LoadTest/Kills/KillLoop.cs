using System.Collections.Concurrent;
using System.Globalization;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.LoadTest.Clients;
using PubSubOverWs.LoadTest.Nodes;
using PubSubOverWs.LoadTest.Processes;
using PubSubOverWs.LoadTest.Targets.Drain;
using PubSubOverWs.LoadTest.Workloads.OneWay;

namespace PubSubOverWs.LoadTest.Kills;

/// <summary>
/// Messages pass a pubsub server that is killed again and again; publishers and subscribers come back each time. What a publisher heard was
/// taken must come at least once, and in the end nothing may be left in the queue.
/// </summary>
internal sealed class KillLoop(KillsPlan plan, TextWriter output, TimeProvider time)
{
    private const int ProgressLines = 10;

    private readonly Tally _tally = new(plan.Messages);
    private readonly bool[] _taken = new bool[plan.Messages];
    private readonly bool[] _again = new bool[plan.Messages];
    private readonly ConcurrentQueue<TimeSpan> _outages = [];
    private volatile int _killed;

    /// <exception cref="ChildException">The server or the queue did not start, or ended by itself.</exception>
    public async Task<KillsFigures> RunAsync(CancellationToken stopping)
    {
        await using var server = await KilledServer.StartAsync(plan.MaxInFlight, time, stopping);
        var target = await server.TargetAsync(stopping);
        var drain = await server.BeginDrainAsync(stopping);
        var publishers = Enumerable.Range(0, plan.Publishers)
            .Select(index => new KillsPublisher(target, plan.BackoffOf(index), plan, index, _taken, _again)).ToArray();
        var subscribers = Enumerable.Range(0, plan.Queues * plan.SubscribersPerQueue)
            .Select(index => new KillsSubscriber(target, plan.BackoffOf(plan.Publishers + index), plan, index, _tally)).ToArray();
        ReturningClient[] clients = [.. publishers, .. subscribers];

        using var ending = CancellationTokenSource.CreateLinkedTokenSource(stopping);
        Task[] all = [];
        try
        {
            await EnterAsync(clients, target, stopping);
            var started = time.GetTimestamp();
            Task[] driving = [KillAsync(server, started, ending.Token),
                .. publishers.Select(publisher => publisher.RunAsync(started, time, ending.Token))];
            all = [.. driving, .. clients.Select(client => client.EndAsync())];
            await Arrivals.WaitAsync(() => IsOver(driving, all), () => _tally.Arrivals + _killed, plan.Patience, time, stopping);
            var took = time.GetElapsedTime(started);
            foreach (var failed in all.Where(task => task.IsFaulted))
                await failed;
            // The subscribers stay: what is still on its way is a duplicate, and is to be counted.
            var drained = await drain.ProveAsync(stopping);
            return Read(server, drained, took, publishers.Sum(publisher => publisher.PublishedAgain));
        }
        finally
        {
            await ending.CancelAsync();
            foreach (var client in clients)
                client.Abort();
            await Task.WhenAll([.. all, .. clients.Select(client => client.EndAsync())])
                .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            foreach (var client in clients)
                client.Dispose();
        }
    }

    private async Task EnterAsync(IReadOnlyList<ReturningClient> clients, ClientTarget target, CancellationToken stopping)
    {
        await using var cut = stopping.Register(() =>
        {
            foreach (var client in clients)
                client.Abort();
        });
        var failures = await Task.WhenAll(clients.Select(client => client.EnterAsync(time)));
        stopping.ThrowIfCancellationRequested();
        if (failures.FirstOrDefault(failure => failure is not null) is { } failed)
            throw new ChildException(
                $"A client could not connect to {target.Address}: {failed.Detail}. Look at the log of that server.",
                ChildException.Unreachable);
    }

    private bool IsOver(Task[] driving, Task[] all) =>
        (Array.TrueForAll(driving, task => task.IsCompletedSuccessfully) && _tally.Distinct == plan.Messages)
            || Array.Exists(all, task => task.IsFaulted);

    private async Task KillAsync(KilledServer server, long started, CancellationToken stopping)
    {
        foreach (var due in plan.KillTimes())
        {
            if (due - time.GetElapsedTime(started) is var early && early > TimeSpan.Zero)
                await Task.Delay(early, time, stopping);
            _outages.Enqueue(await server.KillAsync(stopping));
            _killed++;
            if (_killed * ProgressLines / plan.Kills > (_killed - 1) * ProgressLines / plan.Kills)
                await output.WriteLineAsync(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"{_killed} of {plan.Kills} kills, {_tally.Distinct} of {plan.Messages} messages delivered, {_tally.Duplicates} "
                            + $"duplicates"));
        }
    }

    private KillsFigures Read(KilledServer server, DrainResult drain, TimeSpan took, int publishedAgain)
    {
        var acknowledged = Enumerable.Range(0, plan.Messages).Where(number => _taken[number]).ToArray();
        return new KillsFigures
        {
            Seed = plan.Seed,
            Messages = plan.Messages,
            Kills = plan.Kills,
            Killed = _killed,
            Acknowledged = acknowledged.Length,
            Delivered = _tally.Distinct,
            LostAcknowledged = acknowledged.Count(number => _tally.Of(number) == 0),
            Arrivals = _tally.Arrivals,
            MostReceived = plan.MaxInFlight,
            MostUnanswered = plan.Publishers * plan.MostUnanswered,
            DuplicatesRedelivered = Duplicates(publishedAgain: false),
            DuplicatesPublishedAgain = Duplicates(publishedAgain: true),
            PublishedAgain = publishedAgain,
            Unexpected = _tally.Unexpected,
            Corrupted = _tally.Corrupted,
            LongestOutageSeconds = _outages.Select(outage => outage.TotalSeconds).DefaultIfEmpty().Max(),
            MeanOutageSeconds = _outages.Select(outage => outage.TotalSeconds).DefaultIfEmpty().Average(),
            Seconds = took.TotalSeconds,
            ServerResidentBytes = server.ResidentBytes,
            QueueResidentBytes = server.QueueResidentBytes,
            IsDrained = drain.State == DrainState.Proven,
            Drain = drain.ToString(),
            DeadLettered = drain.DeadLettered,
        };
    }

    private long Duplicates(bool publishedAgain) =>
        Enumerable.Range(0, plan.Messages).Where(number => _again[number] == publishedAgain)
            .Sum(number => (long)Math.Max(0, _tally.Of(number) - 1));
}
