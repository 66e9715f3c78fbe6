using System.Globalization;
using System.Text;
using PubSubOverWs.Experiment;
using PubSubOverWs.LoadTest.Workloads.OneWay;
using static System.FormattableString;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>What a self-test has shown, in one sentence. Whatever is not all found, and beyond doubt, is no pass.</summary>
public static class SelfTestVerdict
{
    private static readonly string[] MustBeInjected =
        ["late", "refused", "lostAcknowledged", "lostUnacknowledged", "duplicates", "reorderings", "unexpected", "corrupted",
            "lost receipts"];

    public static (ExitCode ExitCode, string Sentence) Of(IReadOnlyList<SelfTestArm> arms)
    {
        var findings = arms.Select(Finding).OfType<string>().ToList();
        return findings.Count == 0
            ? (ExitCode.Success, "Self-test passed: all that was injected was found, each in its own counter, and nothing else was.")
            : (ExitCode.GateFailed, $"Self-test failed: {string.Join("; ", findings)}.");
    }

    // Others first: where a server lost, doubled or reordered by itself, the ledger does not tell what must be found.
    private static string? Finding(SelfTestArm arm) => arm switch
    {
        _ when arm.Untouched != Account.Clean(arm.Untouched.Buckets.Attempts) =>
            $"{arm.Arm}, before anything was injected, had {Words(NotClean(arm.Untouched))}, so server or accounting is at fault already",
        _ when arm.OfOthers.Count > 0 =>
            $"{arm.Arm} did by itself what was not injected ({Words(arm.OfOthers)}), so it is not known what must be found: run it "
                + "again, with nothing else on the machine",
        _ when arm.Differences.ToList() is { Count: > 0 } differences =>
            $"{arm.Arm} has {string.Join(", ", differences.Select(one => Invariant($"{one.Found} {one.Name} where {one.Injected} were ")
                + "injected"))}",
        _ when NeverInjected(arm.Injected).ToList() is { Count: > 0 } none =>
            $"{arm.Arm} got nothing of {string.Join(", ", none)}: take another --seed",
        _ => null,
    };

    // A receipt that was lost alone has no counter: acknowledged is less by it, and every bucket is as if it had come.
    private static IEnumerable<string> NeverInjected(Account injected)
    {
        var (counters, buckets) = (injected.Counters.ToDictionary(counter => counter.Name, counter => counter.Count), injected.Buckets);
        counters["lost receipts"] = buckets.Attempts - buckets.Acknowledged - buckets.Refused - buckets.LostUnacknowledged;
        return MustBeInjected.Where(name => counters[name] == 0);
    }

    private static IEnumerable<KeyValuePair<string, long>> NotClean(Account found) =>
        found.Counters.Where(counter => counter.Count > 0 && counter.Name != "attempts")
            .Select(counter => KeyValuePair.Create(counter.Name, counter.Count));

    private static string Words(IEnumerable<KeyValuePair<string, long>> counts) =>
        string.Join(", ", counts.OrderBy(one => one.Key, StringComparer.Ordinal).Select(one => Invariant($"{one.Key} {one.Value}")));
}

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

/// <summary>
/// What a self-test injected and what was found of it: a row for each counter of flows.csv that is not 0, two columns for each arm.
/// </summary>
public static class SelfTestTable
{
    public static string Of(IReadOnlyList<SelfTestArm> arms)
    {
        var text = new StringBuilder($"{"",-22}");
        foreach (var arm in arms)
            text.Append(CultureInfo.InvariantCulture, $"{arm.Arm + ", injected",18}{"found",8}");
        foreach (var row in arms.SelectMany(arm => arm.Counters).GroupBy(counter => counter.Name)
            .Where(row => row.Any(counter => counter.Injected + counter.Found > 0)))
        {
            text.AppendLine().Append(CultureInfo.InvariantCulture, $"{row.Key,-22}");
            foreach (var counter in row)
                text.Append(CultureInfo.InvariantCulture, $"{counter.Injected,18}{counter.Found,8}");
        }
        return text.ToString();
    }
}
