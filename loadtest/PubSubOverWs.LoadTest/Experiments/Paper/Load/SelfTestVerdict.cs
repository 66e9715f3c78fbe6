namespace PubSubOverWs.LoadTest.Experiments.Paper.Load;

/// <summary>The result of a self-test in one sentence. It passes only if every injected fault was found, and nothing else.</summary>
public static class SelfTestVerdict
{
    private static readonly string[] MustBeInjected =
        ["late", "refused", "lostAcknowledged", "lostUnacknowledged", "duplicates", "reorderings", "unexpected", "corrupted",
            "lost receipts"];

    public static (ExitCode ExitCode, string Sentence) Judge(IReadOnlyList<SelfTestArm> arms)
    {
        var findings = arms.Select(Finding).OfType<string>().ToList();
        return findings.Count == 0
            ? (ExitCode.Success, "Self-test passed: every injected fault was found in its own counter, and nothing else.")
            : (ExitCode.GateFailed, $"Self-test failed: {string.Join("; ", findings)}.");
    }

    // Checked before the differences: if a server itself loses, duplicates or reorders, the ledger does not say what must be found.
    private static string? Finding(SelfTestArm arm) => arm switch
    {
        _ when arm.Untouched != Account.Clean(arm.Untouched.Buckets.Attempts) =>
            $"{arm.Arm} had {Words(NotClean(arm.Untouched))} before anything was injected, so the server or the accounting is wrong",
        _ when arm.NotInjected.Count > 0 =>
            $"{arm.Arm} had faults that were not injected ({Words(arm.NotInjected)}), so it is unknown what must be found: run it "
                + "again, with nothing else running on the machine",
        _ when arm.Differences.ToList() is { Count: > 0 } differences =>
            $"{arm.Arm} has {string.Join(", ", differences.Select(Difference))}",
        _ when NeverInjected(arm.Injected).ToList() is { Count: > 0 } none =>
            $"{arm.Arm} got no {string.Join(", ", none)}: use another --seed",
        _ => null,
    };

    private static string Difference((string Name, long Injected, long Found) one) =>
        Invariant($"{one.Found} {one.Name} where {one.Injected} were injected");

    // A lost receipt has no counter of its own: it lowers acknowledged, and changes no bucket.
    private static IEnumerable<string> NeverInjected(Account injected)
    {
        var counters = injected.Counters.ToDictionary(counter => counter.Name, counter => counter.Count);
        var buckets = injected.Buckets;
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
/// <param name="Untouched">The counts before anything was injected.</param>
/// <param name="Injected">The counts that must be found, from the ledger of the injection.</param>
/// <param name="NotInjected">Faults of servers or load that were not injected, in words, with counts.</param>
public sealed record SelfTestArm(
    string Arm, Account Untouched, Account Injected, Account Found, IReadOnlyDictionary<string, long> NotInjected)
{
    /// <summary>Counters whose injected and found values differ.</summary>
    public IEnumerable<(string Name, long Injected, long Found)> Differences =>
        Counters.Where(counter => counter.Injected != counter.Found);

    public IEnumerable<(string Name, long Injected, long Found)> Counters =>
        Injected.Counters.Zip(Found.Counters, (injected, found) => (injected.Name, injected.Count, found.Count));
}

/// <summary>A row for each counter of flows.csv that is not 0, with two columns for each arm: injected and found.</summary>
public static class SelfTestTable
{
    public static string Text(IReadOnlyList<SelfTestArm> arms)
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
