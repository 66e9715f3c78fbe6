using System.CommandLine;
using PubSubOverWs.LoadTest.Doctor;
using PubSubOverWs.LoadTest.Runs;

namespace PubSubOverWs.LoadTest.Bench;

/// <summary><c>bench [relay|pubsub|idle]</c>: how much CPU, memory and time the servers take. It pins nothing.</summary>
public static class BenchCommand
{
    /// <summary>
    /// Most octets of payload that one connection may have under way: more does not fit the sockets' buffers, and client and server
    /// would wait for each other.
    /// </summary>
    private const int MostUnderWay = 64 * 1024;

    public static Command Create()
    {
        var defaults = new BenchPlan();
        var kinds = new Argument<BenchKind[]>("WHAT") { Arity = ArgumentArity.ZeroOrMore, Description = "relay, pubsub, idle; all if left out" };
        var connections = new Option<int?>("--connections") { Description = "connections; 100, and 10000 for idle" };
        var depth = Count("--depth", defaults.Depth, "messages that each connection keeps under way");
        var payload = Count("--payload", defaults.PayloadBytes, "octets of a message's body");
        var seconds = Count("--seconds", (int)defaults.Leg.TotalSeconds, "seconds of one leg");
        var pairs = Count("--pairs", defaults.Pairs, "legs of each server, in turn");
        var only = new Option<BenchSide?>("--only") { Description = "direct or echo alone, for a profile" };
        var file = new Option<string?>("--out") { Description = "a file for the figures as JSON" };
        AtLeastOne(connections);

        var command = new Command("bench", "Measure CPU, memory and throughput of the servers; pins nothing.")
        {
            kinds, connections, depth, payload, seconds, pairs, only, file,
        };
        command.Validators.Add(result =>
        {
            if ((long)result.GetValue(depth) * result.GetValue(payload) > MostUnderWay)
                result.AddError($"--depth times --payload is more than {MostUnderWay} octets under way on a connection: make one of them smaller.");
        });
        command.SetAction(async (parsed, stopping) =>
        {
            var plan = new BenchPlan
            {
                Kinds = parsed.GetValue(kinds) is { Length: > 0 } chosen ? [.. chosen.Distinct()] : defaults.Kinds,
                Connections = parsed.GetValue(connections),
                Depth = parsed.GetValue(depth),
                PayloadBytes = parsed.GetValue(payload),
                Leg = TimeSpan.FromSeconds(parsed.GetValue(seconds)),
                Pairs = parsed.GetValue(pairs),
                Only = parsed.GetValue(only),
                Out = parsed.GetValue(file),
            };
            BenchRules.Check(plan, await MachineProbe.LookAsync(stopping));
            using var held = RunLock.Take(Path.GetTempPath(), "bench");
            await new BenchRun(plan, parsed.InvocationConfiguration.Output, TimeProvider.System).RunAsync(stopping);
            return 0;
        });
        return command;
    }

    private static Option<int> Count(string name, int value, string description)
    {
        var option = new Option<int>(name) { DefaultValueFactory = _ => value, Description = description };
        AtLeastOne(option);
        return option;
    }

    private static void AtLeastOne<T>(Option<T> option) => option.Validators.Add(result =>
    {
        if (result.Tokens.Count > 0 && (!int.TryParse(result.Tokens[^1].Value, out var count) || count < 1))
            result.AddError($"{option.Name} '{result.Tokens[^1].Value}' is no whole number of at least 1.");
    });
}
