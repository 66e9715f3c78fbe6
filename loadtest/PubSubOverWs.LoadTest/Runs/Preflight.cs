using System.Net.Sockets;
using System.Text.Json;
using PubSubOverWs.Experiment;
using PubSubOverWs.Experiment.Experiments.Relay;
using PubSubOverWs.LoadTest.Clients;
using PubSubOverWs.LoadTest.Machine;
using PubSubOverWs.LoadTest.Targets.Drain;
using PubSubOverWs.LoadTest.Targets.Sqs;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>
/// Everything that can be refused before anything is started: the machine, servers and queues that should already be there.
/// </summary>
public static class Preflight
{
    private static readonly TimeSpan ConnectTimeout = TimeSpan.FromSeconds(5);

    // A server checks passcodes slowly on purpose, and a few at a time.
    private static readonly TimeSpan LogInTimeout = TimeSpan.FromSeconds(15);

    /// <summary>Returns warnings for the user.</summary>
    /// <exception cref="RefusalException">Names what is missing and how to mend it.</exception>
    public static async Task<IReadOnlyList<string>> CheckAsync(RunJob job, TimeProvider time, CancellationToken stopping)
    {
        // The lock is held by this run itself.
        var machine = await MachineProbe.LookAsync(stopping) with { LockHolder = null };
        var findings = Examination.Of(machine, DemandOf(job));
        if (findings.FirstOrDefault(finding => finding.Level == CheckLevel.Refusal) is { } refused)
            throw new RefusalException(ExitCode.BadUsage, FindingText.Refusal(refused));

        if (job.Scenario.Runs(Arms.Direct) && job.Request.Direct is { } direct)
            await CheckServerAsync("--direct", Arms.Direct, direct, job.Request, time, stopping);
        if (job.Scenario.Runs(Arms.PubSub) && job.Request.PubSub is { } pubsub)
            await CheckServerAsync("--pubsub", Arms.PubSub, pubsub, job.Request, time, stopping);
        if (job.Scenario.Runs(Arms.PubSub) && job.Request.Queue is not EmbeddedTarget)
        {
            await QueuePreflight.CheckAsync(job.Request.Queue, time, stopping);
            if (job.Scenario.PubSubNodes > 1)
                await QueuePreflight.CheckTopicsAsync(job.Request.Queue, time, stopping);
        }

        return [.. findings.Where(finding => finding.Level == CheckLevel.Warning).Select(FindingText.Line)];
    }

    private static Demand DemandOf(RunJob job) => new(
        job.Scenario.MostUsers,
        job.Scenario.Pinning,
        LoopbackOnly: new[] { job.Request.Direct, job.Request.PubSub }.All(url => url is null or { IsLoopback: true }),
        StartsServers: job.StartsDirect || job.StartsPubSub)
    {
        ConnectionsPerUser = job.Scenario.ConnectionsPerUser,
    };

    private static async Task CheckServerAsync(
        string option, string arm, Uri address, RunRequest request, TimeProvider time, CancellationToken stopping)
    {
        await ConnectAsync(option, arm, address, time, stopping);
        if (request.Access.Login is { } login)
            await LogInAsync(address, login, request.Access, time, stopping);
        using var stats = new StatsReader(address, request.Access.StatsToken);
        var json = await stats.ReadAsync(stopping);
        if (stats.IsRefused)
            throw new RefusalException(
                ExitCode.BadUsage,
                $"The {arm} server at {address} does not show its /stats: name the file with its token in --stats-token-file.");
        var other = json is null ? null : ServerIn(json);
        if (other is not null && other != arm)
            throw new RefusalException(
                ExitCode.BadUsage,
                $"The server at {address} says that it is '{other}', not '{arm}': give {option} the address of a {arm} server.");
        if (json is not null)
            QueuePreflight.CheckServer(address, json, request.Queue);
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
        catch (Exception failure)
            when (failure is SocketException || (failure is OperationCanceledException && !stopping.IsCancellationRequested))
        {
            var why = failure is SocketException ? failure.Message : $"no answer within {ConnectTimeout.TotalSeconds:0} s";
            throw new RefusalException(
                ExitCode.Unreachable,
                $"The {arm} server at {address} cannot be reached ({why}): start it, or leave {option} away to have the run start one.",
                failure);
        }
    }

    // Once, so that it does not fail for every user; the passcode is not in what a server of ours answers, and not in what is said here.
    private static async Task LogInAsync(Uri address, string login, ServerAccess access, TimeProvider time, CancellationToken stopping)
    {
        using var connection = new StompConnection(await ClientTarget.ResolveAsync(address, access, stopping));
        using var timeout = new CancellationTokenSource(LogInTimeout, time);
        await using var abort = timeout.Token.UnsafeRegister(one => ((StompConnection)one!).Abort(), connection);
        await using var stop = stopping.UnsafeRegister(one => ((StompConnection)one!).Abort(), connection);
        var failure = await connection.OpenAsync() ?? await connection.LogInAsync();
        stopping.ThrowIfCancellationRequested();
        if (failure is not null)
            throw new RefusalException(
                ExitCode.BadUsage,
                $"The server at {address} does not let '{login}' in "
                    + $"({failure.Detail.Replace(access.Passcode!.Value, Secret.Mask, StringComparison.Ordinal)}): check --login and "
                    + "--passcode-file.");
        connection.Leave();
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
