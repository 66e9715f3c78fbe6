using PubSubOverWs.LoadTest.Experiments.Paper.Load;
using PubSubOverWs.Record.Accounting;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Paper.Load;

/// <summary>A self-test without servers: what the ledger has, the accounting finds, and a changed byte, wherever it is, with it.</summary>
public sealed class FaultInjectionTests
{
    private static readonly IterationPlan Plan =
        new() { Run = "run", Iteration = 1, Users = 60, Messages = 10, Receipts = true, Deadline = TimeSpan.FromSeconds(2) };

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(2015)]
    [InlineData(int.MaxValue)]
    public void All_that_is_injected_is_found(int seed)
    {
        var injection = new FaultInjection(Plan, seed);
        var users = Enumerable.Range(0, Plan.Users).Select(i => InjectedUser.Of(Plan, i, injection)).ToList();
        for (var sequence = 0; sequence < Plan.Messages; sequence++)
            users.ForEach(user => user.Bring(sequence));
        users.ForEach(user => user.End(stamp: 3 * TimeProvider.System.TimestampFrequency));

        var findings = new ObservationBuilder([.. users.Select(user => user.Log)], Plan, startStamp: 0, firstDueStamp: 0);

        var attempts = Accountant.Classify(findings.Observations, Plan.Deadline, default);
        Assert.Equal(
            injection.Ledger.Expect(attempts.Count), new Account(Accountant.Sum(attempts, findings.Acknowledged), findings.Anomalies));
        Assert.Empty(injection.Ledger.NotInjected);
        Assert.Equal(Plan.Users * Plan.Messages, attempts.Count);
    }
}
