using System.Diagnostics;
using System.Text.Json;
using PubSubOverWs.LoadTest.Experiments.FanOut.Load;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Workers;
using PubSubOverWs.LoadTest.Harness.Workloads;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Tests.LoadTest.Harness.Workers;

namespace PubSubOverWs.Tests.LoadTest.Experiments.FanOut.Load;

public sealed class FanOutSeenTests
{
    private static readonly FanOutPlan Plan = new(
        "t-1", Subscribers: 11, Publishers: 3, Messages: 20, new Arrival(TimeSpan.FromSeconds(1)), 100, Receipts: true,
        TimeSpan.FromSeconds(1.5));

    [Theory]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(11)]
    public void What_clients_saw_is_the_same_whatever_processes_they_were_in(int processes)
    {
        var expected = Observe(1);
        var seen = Observe(processes);

        Assert.Equal(expected.Anomalies, seen.Anomalies);
        Assert.Equal(expected.Failures, seen.Failures);
        Assert.Equal(expected.Measures, seen.Measures);
        Assert.Equal(Text(expected.Counted), Text(seen.Counted));
        Assert.Equal(2, seen.Failures.Count);
    }

    [Fact]
    public void Clients_of_another_share_and_messages_of_another_iteration_are_refused()
    {
        var account = AccountOf(new LoadShare(0, 2));

        Assert.Throws<InvalidDataException>(() => new FanOutSeen(Plan).Add(account, new LoadShare(1, 2), WorkerClock.Same));
        Assert.Throws<InvalidDataException>(
            () => new FanOutSeen(Plan with { Messages = 21 }).Add(account, new LoadShare(0, 2), WorkerClock.Same));
    }

    private static Observed Observe(int processes)
    {
        var seen = new FanOutSeen(Plan);
        for (var i = 0; i < processes; i++)
            seen.Add(Far(AccountOf(new LoadShare(i, processes)), i), new LoadShare(i, processes), FarClocks.Of(i));
        return seen.Observe(start: 0, firstDue: 1_000);
    }

    private static FanOutAccount Far(FanOutAccount account, int process)
    {
        var clock = FarClocks.To(process);
        return new FanOutAccount(
            [.. account.Publishers.Select(one => one with { Messages = [.. one.Messages.Select(message => message.By(clock))] })],
            [.. account.Subscribers.Select(one => one with { ArrivedAt = [.. one.ArrivedAt.Select(clock.Here)] })]);
    }

    private static string Text(IReadOnlyList<FlowAccount> counted)
    {
        var sum = Assert.Single(counted);
        return $"{sum.Row(default)} {string.Join(' ', Enumerable.Range(0, 101).Select(i => sum.Latencies.ValueAt(i / 100.0)))}";
    }

    // As it comes from a process. What a client saw depends on its number alone.
    private static FanOutAccount AccountOf(LoadShare share) => JsonSerializer.SerializeToElement(
        new FanOutAccount(
            [.. share.In(Plan.Publishers).Select(Publisher)], [.. share.In(Plan.Subscribers).Select(Subscriber)]), WorkerOrders.Json)
        .Deserialize<FanOutAccount>(WorkerOrders.Json)!;

    private static PublisherAccount Publisher(int number)
    {
        var random = new Random(number);
        return new PublisherAccount(
            number, [.. Enumerable.Range(0, new LoadShare(number, Plan.Publishers).CountIn(Plan.Messages)).Select(_ => new MessageAccount(
                Stamp(random), Stamp(random), Taken: true, random.Next(9) == 0 ? new ConnectFailure(Cause.Shed, "shed") : null))],
            null);
    }

    private static SubscriberAccount Subscriber(int number)
    {
        var random = new Random(100 + number);
        return new SubscriberAccount(
            number, [.. Enumerable.Range(0, Plan.Messages).Select(_ => random.Next(7) == 0 ? (long?)null : Stamp(random))],
            new Anomalies(number, 0, 0, 1), number == 4 ? new ConnectFailure(Cause.ServerClosed, "gone") : null);
    }

    private static long Stamp(Random random) => random.NextInt64(3 * Stopwatch.Frequency);
}
