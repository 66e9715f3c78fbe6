using PubSubOverWs.LoadTest.Workloads.OneWay;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>One arm's part of a self-test.</summary>
/// <param name="Arm">Its name.</param>
/// <param name="Untouched">What was found before anything was injected.</param>
/// <param name="Injected">What must be found, as the ledger of the injection has it.</param>
/// <param name="Found">What was found.</param>
/// <param name="OfOthers">What servers or load did beside it, in words, and how often; empty: nothing.</param>
public sealed record SelfTestArm(string Arm, Account Untouched, Account Injected, Account Found, IReadOnlyDictionary<string, long> OfOthers)
{
    /// <summary>Counters in which the accounting found something else than the ledger has.</summary>
    public IEnumerable<(string Name, long Injected, long Found)> Differences =>
        Counters.Where(counter => counter.Injected != counter.Found);

    /// <summary>Every counter, beside what was found of it.</summary>
    public IEnumerable<(string Name, long Injected, long Found)> Counters =>
        Injected.Counters.Zip(Found.Counters, (injected, found) => (injected.Name, injected.Count, found.Count));
}
