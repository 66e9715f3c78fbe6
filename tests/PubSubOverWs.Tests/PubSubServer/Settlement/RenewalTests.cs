using System.Collections.Concurrent;
using PubSubOverWs.PubSubServer;
using PubSubOverWs.Queues;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.PubSubServer;

public sealed class RenewalTests : IDisposable
{
    private static readonly TimeSpan Visibility = TimeSpan.FromSeconds(30);

    private readonly FakeTime _time = new();
    private readonly QueueContext _server;
    private readonly FakeSqs _sqs;
    private readonly Leases _leases;
    private readonly Dispatcher _dispatcher;
    private readonly Renewal _renewal;
    private readonly CancellationTokenSource _stopping = new();

    public RenewalTests()
    {
        _sqs = new FakeSqs(_time).With("q");
        _leases = new Leases(_time, Visibility, maxInFlight: 100_000);
        _server = Sample.Server(_time, new QueueBrokerOptions { HeldMessages = 100_000, HeldBytes = 1 << 30 }, sqs: _sqs);
        _dispatcher = new Dispatcher(Sample.Flow(_server, _leases), new FakeSettlement(), _ => DeliverOutcome.NoSubscriber);
        _renewal = new Renewal(Sample.Flow(_server, _leases, stopping: _stopping.Token), _dispatcher);
    }

    public void Dispose()
    {
        _dispatcher.Dispose();
        _stopping.Dispose();
    }

    [Fact]
    public async Task A_held_message_is_renewed_at_each_third_of_its_visibility_for_as_long_as_it_is_held()
    {
        await HoldAsync(12);
        for (var third = 1; third <= 6; third++)
        {
            _time.Advance(Visibility / 3);
            await RenewDueAsync();
            Assert.Equal(12 * third, _sqs.Changes.Count);
            Assert.Equal(0, _sqs.Visible("q"));
        }
        Assert.Equal(12, _sqs.Traffic.Calls(QueueCall.Hold));
        Assert.All(_sqs.Changes, change => Assert.Equal(Visibility, change.Visibility));
    }

    [Fact]
    public async Task A_lease_that_the_queue_took_back_is_dropped_and_counted()
    {
        await HoldAsync(1);
        _time.Advance(Visibility);
        await _sqs.GetAsync("q", Visibility);
        await RenewDueAsync();
        Assert.Equal(0, _leases.Count);
        Assert.Equal(1, _server.Meter.Read(Sample.Urls, _sqs.Traffic, _leases.Unsettled, nodes: 1).StaleReceipts);
    }

    [Fact]
    public async Task While_the_queue_is_away_nothing_is_given_up_and_it_is_tried_again_each_second()
    {
        await HoldAsync(1);
        var tries = new ConcurrentQueue<DateTimeOffset>();
        _sqs.Fault = _ =>
        {
            tries.Enqueue(_time.GetUtcNow());
            return tries.Count < 5 ? FakeSqs.Away : null;
        };
        _time.Advance(Visibility / 3);
        _renewal.RenewDue();
        var pause = TimeSpan.FromSeconds(1);
        for (var failed = 1; failed < 5; failed++)
        {
            // The clock moves when a failed try waits for the next, and not while one is under way.
            await Waiting.UntilAsync(() => tries.Count == failed && _time.UntilNextTimer == pause);
            _time.Advance(pause);
        }

        await _renewal.IdleAsync();
        Assert.Equal((1, 1, 5), (_leases.Count, _sqs.Changes.Count, tries.Count));
        Assert.All(tries.Zip(tries.Skip(1)), pair => Assert.Equal(pause, pair.Second - pair.First));
    }

    [Fact]
    public async Task A_call_that_gets_no_answer_delays_its_own_batch_only_and_that_is_tried_again()
    {
        await HoldAsync(1_000);
        var hangs = _leases.All()[5].ReceiptHandle;
        _sqs.ChangeGate = (entries, cancelled) =>
            entries.Any(entry => entry.ReceiptHandle == hangs)
                ? Task.Delay(Timeout.InfiniteTimeSpan, _time, cancelled)
                : Task.CompletedTask;
        _time.Advance(Visibility / 3);
        _renewal.RenewDue();
        await Waiting.UntilAsync(() => _leases.All().Count(lease => !lease.IsBeingRenewed) == 990);

        // What is under way is not due again.
        _renewal.RenewDue();
        _sqs.ChangeGate = (_, _) => Task.CompletedTask;
        var idle = _renewal.IdleAsync();
        _time.Advance(Visibility / 6);
        Assert.Equal(0, _sqs.Visible("q"));
        await PassAsync(idle);
        Assert.Equal(1_000, Renewed());
        Assert.Equal(101, _sqs.Traffic.Calls(QueueCall.Hold));
    }

    [Fact]
    public async Task Five_thousand_leases_a_second_are_renewed_where_a_call_takes_100_ms()
    {
        // 5,000 of 3 s want as many calls as 50,000 of 30 s.
        const int Count = 5_000;
        var visibility = TimeSpan.FromSeconds(3);
        var leases = new Leases(_time, visibility, maxInFlight: 100_000);
        var server = Sample.Server(_time, new QueueBrokerOptions { VisibilityTimeout = visibility }, sqs: _sqs);
        var renewal = new Renewal(Sample.Flow(server, leases, stopping: _stopping.Token), _dispatcher);
        for (var sent = 0; sent < Count; sent += 10)
        {
            await _sqs.PutAsync("q", Enumerable.Range(sent, 10).Select(i => Sample.Envelope(Sample.Message($"m{i}"))));
            leases.Add([.. (await _sqs.GetAsync("q", visibility)).Select(received => new Lease(received))]);
        }
        var (calls, entries) = (0, 0);
        _sqs.ChangeGate = async (batch, _) =>
        {
            Interlocked.Add(ref entries, batch.Count);
            Interlocked.Increment(ref calls);
            await Task.Delay(TimeSpan.FromMilliseconds(100), _time, CancellationToken.None);
            Interlocked.Decrement(ref calls);
            Interlocked.Add(ref entries, -batch.Count);
        };
        for (var tenths = 0; tenths < 60; tenths++)
        {
            _time.Advance(TimeSpan.FromMilliseconds(100));
            renewal.RenewDue();
            // All calls that may be are under way, or nothing is left for another but less than a batch.
            await Waiting.UntilAsync(() => Volatile.Read(ref calls) == Renewal.CallsAtOnce
                || leases.All().Count(lease => lease.IsBeingRenewed) - Volatile.Read(ref entries) < 10);
            Assert.Equal(0, _sqs.Visible("q"));
        }
        Assert.InRange(_sqs.Traffic.Calls(QueueCall.Hold), 4 * Count / 10, 6 * Count / 10);
        Assert.Equal(Count, leases.Count);
        await PassAsync(renewal.IdleAsync());
    }

    [Fact]
    public async Task Renewal_looks_by_itself_until_it_is_stopped()
    {
        await HoldAsync(1);
        using var stopping = new CancellationTokenSource();
        var running = _renewal.RunAsync(stopping.Token);
        _time.Advance(Visibility / 3);
        await Waiting.UntilAsync(() => _sqs.Changes.Count > 0);
        await stopping.CancelAsync();
        await running;
    }

    private Task RenewDueAsync()
    {
        _renewal.RenewDue();
        return _renewal.IdleAsync();
    }

    private int Renewed() => _sqs.Changes.Select(change => change.ReceiptHandle).Distinct().Count();

    private async Task PassAsync(Task until)
    {
        for (var tenths = 0; !until.IsCompleted; tenths++)
        {
            Assert.InRange(tenths, 0, 6_000);
            // What has begun goes on before time does, however busy the machine is.
            await Waiting.GiveWayAsync(100);
            await Waiting.UntilAsync(() => ThreadPool.PendingWorkItemCount == 0);
            _time.Advance(TimeSpan.FromMilliseconds(100));
        }
        await until;
    }

    private async Task HoldAsync(int count)
    {
        await _sqs.PutAsync("q", Enumerable.Range(0, count).Select(i => Sample.Envelope(Sample.Message($"m{i}"))));
        for (var received = 0; received < count; received += 10)
            _dispatcher.Accept(await _sqs.GetAsync("q", Visibility));
    }
}
