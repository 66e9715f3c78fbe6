using System.Net.Sockets;
using System.Text.Json;
using PubSubOverWs.Experiment;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.LoadTest.Commands;
using PubSubOverWs.LoadTest.Doctor;
using PubSubOverWs.LoadTest.Load.Drain;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>Everything that can be refused before anything is started: the machine, servers and queues that should already be there.</summary>
public static class Preflight
{
    private static readonly TimeSpan ConnectTimeout = TimeSpan.FromSeconds(5);

    /// <summary>Returns warnings for the user.</summary>
    /// <exception cref="RefusalException">Names what is missing and how to mend it.</exception>
    public static async Task<IReadOnlyList<string>> CheckAsync(RunJob job, TimeProvider time, CancellationToken stopping)
    {
        // The lock is held by this run itself.
        var machine = await MachineProbe.LookAsync(stopping) with { LockHolder = null };
        var findings = Examination.Of(machine, DemandOf(job));
        if (findings.FirstOrDefault(finding => finding.Level == CheckLevel.Refusal) is { } refused)
            throw new RefusalException(ExitCode.BadUsage, FindingText.Refusal(refused));

        if (job.Scenario.Arms.Contains(Arms.Direct) && job.Request.Direct is { } direct)
            await CheckServerAsync("--direct", Arms.Direct, direct, time, stopping);
        if (job.Scenario.Arms.Contains(Arms.PubSub) && job.Request.PubSub is { } pubsub)
            await CheckServerAsync("--pubsub", Arms.PubSub, pubsub, time, stopping);
        if (job.Scenario.Arms.Contains(Arms.PubSub) && job.Request.SqsEndpoint is { } endpoint)
            await CheckQueueAsync(endpoint, time, stopping);
        return [.. findings.Where(finding => finding.Level == CheckLevel.Warning).Select(FindingText.Line)];
    }

    private static Demand DemandOf(RunJob job) => new(
        job.Scenario.Users.Max(),
        job.Scenario.Pinning,
        LoopbackOnly: new[] { job.Request.Direct, job.Request.PubSub }.All(url => url is null or { IsLoopback: true }),
        StartsServers: job.StartsDirect || job.StartsPubSub);

    private static async Task CheckServerAsync(string option, string arm, Uri address, TimeProvider time, CancellationToken stopping)
    {
        await ConnectAsync(option, arm, address, time, stopping);
        using var stats = new StatsReader(address);
        var other = await stats.ReadAsync(stopping) is { } json ? ServerIn(json) : null;
        if (other is not null && other != arm)
            throw new RefusalException(ExitCode.BadUsage, $"The server at {address} says that it is '{other}', not '{arm}': give {option} the address of a {arm} server.");
    }

    private static async Task ConnectAsync(string option, string arm, Uri address, TimeProvider time, CancellationToken stopping)
    {
        using var timeout = new CancellationTokenSource(ConnectTimeout, time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(timeout.Token, stopping);
        try
        {
            using var client = new TcpClient();
            await client.ConnectAsync(address.Host, address.Port, either.Token);
        }
        catch (Exception failure) when (failure is SocketException || (failure is OperationCanceledException && !stopping.IsCancellationRequested))
        {
            var why = failure is SocketException ? failure.Message : $"no answer within {ConnectTimeout.TotalSeconds:0} s";
            throw new RefusalException(ExitCode.Unreachable, $"The {arm} server at {address} cannot be reached ({why}): start it, or leave {option} away to have the run start one.", failure);
        }
    }

    // Any answer will do; that there is no such queue is the one we hope for.
    private static async Task CheckQueueAsync(Uri endpoint, TimeProvider time, CancellationToken stopping)
    {
        try
        {
            using var sqs = QueuePair.Connect(endpoint, isLocalSqs: false, time);
            await sqs.GetQueueUrlAsync("pubsuboverws-preflight", stopping);
        }
        catch (SqsException failure) when (failure.Code == SqsErrorCode.QueueDoesNotExist)
        {
        }
        catch (SqsException failure) when (failure.Code is SqsErrorCode.NoCredentials or SqsErrorCode.NoRegion)
        {
            throw new RefusalException(ExitCode.BadUsage, $"The queue at {endpoint} needs to know who calls: {failure.Message}", failure);
        }
        catch (SqsException failure)
        {
            throw new RefusalException(ExitCode.Unreachable, $"The queue at {endpoint} cannot be used: {failure.Message} Check --sqs-endpoint, or leave it away to use LocalSqs.", failure);
        }
    }

    private static string? ServerIn(string json)
    {
        try
        {
            using var document = JsonDocument.Parse(json);
            return document.RootElement.TryGetProperty("server", out var server) ? server.GetString() : null;
        }
        catch (JsonException)
        {
            return null;
        }
    }
}
