using System.CommandLine;
using PubSubOverWs.LoadTest.Commands;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Machine;
using PubSubOverWs.LoadTest.Harness.Runs;

namespace PubSubOverWs.LoadTest.Bench.Peers;

/// <summary><c>bench peers</c>: our servers beside others, as they come from Debian and npm.</summary>
public static class PeersCommand
{
    private static readonly PeersPlan Defaults = new();

    public static Command Create()
    {
        var rows = new Option<IReadOnlyList<string>?>("--rows")
        {
            AllowMultipleArgumentsPerToken = true,
            Description = $"{string.Join(", ", Defaults.Rows)}; default: all",
            HelpName = "ROW",
        }.Choice([.. Defaults.Rows]);
        var pairs = BenchCommand.Count("--pairs", $"legs of each server, in turn; default: {Defaults.Pairs}");
        var length = BenchCommand.Count("--for", $"seconds of one leg; default: {Defaults.Leg.TotalSeconds}");
        var quick = new Option<bool>("--quick")
        { Description = "one pair of short legs: everything in about three minutes, to see that it works" };
        var secure = new Option<bool>("--secure")
        { Description = $"with TLS and a user who logs in: {string.Join(" and ", PeersPlan.SecureRows)}, of the servers that have both" };
        var file = new Option<string?>("--out") { Description = "file for the figures as JSON", HelpName = "FILE" };
        var markdown = new Option<string?>("--markdown") { Description = "file for the table as Markdown", HelpName = "FILE" };

        var command = new Command(
            "peers", "Both front ends beside nats-server, mosquitto, nginx with nchan, ws and a bare echo on Kestrel.")
        { rows, pairs, length, quick, secure, file, markdown };
        command.Validators.Add(result =>
        {
            var others = result.GetValue(secure) ? (result.GetValue(rows) ?? []).Except(PeersPlan.SecureRows) : [];
            if (others.FirstOrDefault() is { } other)
                result.AddError($"--secure measures {string.Join(" and ", PeersPlan.SecureRows)}, not {other}: leave one of the two out.");
        });
        command.SetAction((parsed, stopping) =>
        {
            var size = parsed.GetValue(quick) ? PeersPlan.Quick : Defaults;
            var plan = size with
            {
                Rows = Rows(parsed.GetValue(secure) ? PeersPlan.SecureRows : size.Rows, parsed.GetValue(rows) ?? []),
                Secure = parsed.GetValue(secure),
                Pairs = parsed.GetValue(pairs) ?? size.Pairs,
                Leg = TimeSpan.FromSeconds(parsed.GetValue(length) ?? size.Leg.TotalSeconds),
                Out = parsed.GetValue(file),
                Markdown = parsed.GetValue(markdown),
            };
            return RunAsync(plan, parsed.InvocationConfiguration.Output, stopping);
        });
        return command;
    }

    private static IReadOnlyList<string> Rows(IReadOnlyList<string> possible, IReadOnlyList<string> chosen) =>
        chosen.Count == 0 ? possible : [.. possible.Where(chosen.Contains)];

    private static async Task<int> RunAsync(PeersPlan plan, TextWriter output, CancellationToken stopping)
    {
        var needed = new BenchPlan
        {
            Kinds = [BenchKind.Idle],
            Connections = Math.Max(plan.IdleConnections, plan.Subscribers),
            Depth = plan.Depth,
            PayloadBytes = plan.PayloadBytes,
        };
        BenchRules.Check(needed, await MachineProbe.LookAsync(TargetList.Programs, output: null, stopping));
        foreach (var (option, file) in new[] { ("--out", plan.Out), ("--markdown", plan.Markdown) })
        {
            if (file is not null)
                OutputFile.Check(option, file);
        }

        InlineCompletions.Enable();
        using var held = RunLock.Take(Path.GetTempPath(), "bench");
        await new PeersRun(plan, output, TimeProvider.System).RunAsync(stopping);
        return (int)ExitCode.Success;
    }
}
