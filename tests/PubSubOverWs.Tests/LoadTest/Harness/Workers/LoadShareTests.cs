using PubSubOverWs.LoadTest.Harness.Workers;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.Tests.LoadTest.Harness.Workers;

public sealed class LoadShareTests
{
    public static TheoryData<int, int> Sizes => new() { { 10, 1 }, { 10, 2 }, { 10, 3 }, { 7, 7 }, { 3, 5 }, { 1_000, 64 } };

    [Theory]
    [MemberData(nameof(Sizes))]
    public void Every_client_is_in_exactly_one_share_and_shares_differ_by_one_at_most(int clients, int processes)
    {
        LoadShare[] shares = [.. Enumerable.Range(0, processes).Select(index => new LoadShare(index, processes))];

        Assert.Equal(Enumerable.Range(0, clients), shares.SelectMany(share => share.In(clients)).Order());
        Assert.All(Enumerable.Range(0, clients), client => Assert.Single(shares, share => share.Has(client)));
        Assert.All(shares, share => Assert.Equal(share.In(clients).Count(), share.CountIn(clients)));
        Assert.InRange(shares.Max(share => share.CountIn(clients)) - shares.Min(share => share.CountIn(clients)), 0, 1);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(64)]
    public void All_processes_together_have_no_more_clients_connecting_than_one(int processes) => Assert.InRange(
        Enumerable.Range(0, processes).Sum(index => new LoadShare(index, processes).ConnectsUnderWay), 1,
        LoadBounds.DefaultConnectsUnderWay);
}
