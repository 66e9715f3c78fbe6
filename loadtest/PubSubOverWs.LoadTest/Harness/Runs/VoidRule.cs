using System.Text.RegularExpressions;
using PubSubOverWs.LoadTest.Harness.Machine;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workloads;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LoadTest.Harness.Runs;

/// <summary>
/// Why a trial is void and is not recorded (docs/reference/method.md, Validity): it measured a failure that its arm did not cause.
/// </summary>
public static class VoidRule
{
    // Of a median latency between two clocks.
    private const double LargestClockBound = 0.05;

    /// <param name="servers">Those of its arm.</param>
    /// <returns>One sentence; null: it is not void.</returns>
    public static string? Because(Scenario scenario, ServerGroup servers, IterationRow row, IterationMeasurement measured) =>
        OutOfDescriptors(servers, scenario.UsersOf(row.Arm, row.Level), row.Connections)
            // A queue that is killed by order comes back empty.
            ?? (scenario.DisturbanceAt(row.Level) is { KillsQueue: true } ? null
                : QueueFailed(scenario, servers.Count > 1, measured, isLoss: row.Buckets.Lost > 0))
            ?? ClocksUnknown(row, measured);

    // The run has checked the limit that its servers inherit: it was lowered since.
    private static string? OutOfDescriptors(ServerGroup servers, int users, int connected)
    {
        var needed = Demand.DescriptorsFor((users + servers.Count - 1) / servers.Count);
        var limited = connected >= users ? [] : servers.Processes
            .Select(one => (one.Name, Limit: ProcFiles.OpenFiles(ProcFiles.Lines(Invariant($"/proc/{one.ProcessId}/limits")))?.Soft))
            .Where(one => one.Limit < needed);
        return limited.Select(one => Invariant($"The {one.Name} server may open {one.Limit} files and needs {needed} for {users} users."))
            .FirstOrDefault();
    }

    // Clocks of several machines are known only so well: docs/reference/method.md.
    private static string? ClocksUnknown(IterationRow row, IterationMeasurement measured)
    {
        if (!measured.LatenciesCrossClocks || measured.Clocks.Count == 0 || row.Latency.P50 is not { } median)
            return null;
        var (process, clock) = measured.Clocks.MaxBy(one => one.Clock.Bound);
        return clock.Bound.TotalMicroseconds <= LargestClockBound * median ? null : Invariant(
            $"The clock of {process} was known to {clock.Bound.TotalMicroseconds:0} us, more than 5 % of the median latency of ")
                + Invariant($"{median:0} us, and messages go from one load process to another: use load processes that are nearer, ")
                + "or an experiment whose users get their own messages, such as paper.";
    }

    private static string? QueueFailed(Scenario scenario, bool hasNodes, IterationMeasurement measured, bool isLoss)
    {
        var drain = measured.Drain;
        if (drain.Failure is { } probe && QueueRefusal.Is(probe.Code, hasNodes: false))
            return probe.Message;
        var failed = FailedCalls(measured).ToArray();
        return failed.FirstOrDefault(one => QueueRefusal.Is(one.Code, hasNodes)).Said
            ?? measured.Failures.Keys.FirstOrDefault(text => QueueRefusal.IsIn(text, hasNodes))
            ?? (drain.Failure is not null
                ? failed.FirstOrDefault(one => one.Code != SqsErrorCode.TimedOut || !scenario.OffersRates).Said
                : null)
            ?? (isLoss && !hasNodes && failed.Length == 0 ? TakenByOthers(measured) : null);
    }

    // By the servers themselves, between the two readings. One that was restarted counts from then on.
    private static IEnumerable<(string Code, string Said)> FailedCalls(IterationMeasurement measured)
    {
        foreach (var one in measured.Stats.Where(one => one.After is not null && (one.Before is not null || measured.Restarted)))
        {
            var before = Counts(one.Before);
            foreach (var (code, (count, said)) in Counts(one.After))
            {
                if (count > before.GetValueOrDefault(code).Count)
                    yield return (code, said);
            }
        }
    }

    private static Dictionary<string, (long Count, string Said)> Counts(string? stats)
    {
        using var document = JsonDocument.Parse(stats ?? "{}");
        return document.RootElement.TryGetProperty("queue", out var queue) && queue.ValueKind == JsonValueKind.Object
            && queue.TryGetProperty("failures", out var failures) && failures.ValueKind == JsonValueKind.Object
            ? failures.EnumerateObject().ToDictionary(
                one => one.Name,
                one => (one.Value.GetProperty("count").GetInt64(), one.Value.GetProperty("latest").GetString() ?? one.Name))
            : [];
    }

    // What a queue took is deleted by its server, dead-lettered, or still there. What is left over another consumer took.
    private static string? TakenByOthers(IterationMeasurement measured)
    {
        using var delta = new StatsDelta(measured.Stats);
        return measured.Drain.State == DrainState.Proven && delta.Messages is var (sent, deleted, deadLettered)
            && sent - deleted - Math.Max(0, measured.Drain.DeadLettered - deadLettered) is var gone and > 0
            ? $"{gone} of {sent} messages that the queue had taken never came to its server, and are no longer in it: another consumer "
                + "takes them, it was purged, or it lost them."
            : null;
    }
}

/// <summary>A failure of the queue for a reason that no client can cause.</summary>
public static partial class QueueRefusal
{
    // The queue or topic is not there. Servers that share their work delete each other's.
    private static readonly HashSet<string> Gone = ["QueueDoesNotExist", "NonExistentQueue", "NotFound"];

    // Codes of SQS, of SNS, of what AWS has before both, and of our clients.
    private static readonly HashSet<string> Refusals =
    [
        .. Gone,
        "AccessDenied", "AccessDeniedException", "AuthorizationError", "OptInRequired", "InvalidSecurity", "Forbidden", "MethodNotAllowed",
        "KmsAccessDenied", "KmsDisabled", "KmsInvalidState", "KmsInvalidKeyUsage", "KmsNotFound", "KmsOptInRequired",
        "InvalidClientTokenId", "UnrecognizedClientException", "InvalidAccessKeyId", "MissingAuthenticationToken",
        "MissingAuthenticationTokenException", "IncompleteSignature", "IncompleteSignatureException",
        "SignatureDoesNotMatch", "InvalidSignatureException", "RequestTimeTooSkewed",
        "ExpiredToken", "ExpiredTokenException", "RequestExpired", "NoCredentials", "CredentialsNotRenewed",
        "RequestThrottled", "Throttled", "Throttling", "ThrottlingException", "ThrottledException", "TooManyRequests",
        "TooManyRequestsException", "RequestLimitExceeded", "SlowDown", "KmsThrottled",
        "BadAnswer", "OutOfDescriptors",
    ];

    /// <summary>Whether a call of the queue that failed with this code, in all of its attempts, was refused for such a reason.</summary>
    /// <param name="hasNodes">Several servers share the work.</param>
    public static bool Is(string code, bool hasNodes) => Refusals.Contains(code) && !(hasNodes && Gone.Contains(code));

    /// <summary>Whether a failure that users saw was such a refusal.</summary>
    /// <param name="text">As in events.csv: it has the sentence about the call.</param>
    /// <param name="hasNodes">Several servers share the work.</param>
    public static bool IsIn(string text, bool hasNodes) =>
        Code().Matches(text).Any(match => Is(match.Groups["code"].Value, hasNodes));

    [GeneratedRegex(@"\bwith (?:[A-Za-z]+\.)*(?<code>[A-Za-z]+)")]
    private static partial Regex Code();
}
