using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Machine;

namespace PubSubOverWs.LoadTest.Bench;

/// <summary>Conditions that must hold before any load starts.</summary>
public static class BenchRules
{
    /// <summary>
    /// Most bytes of payload that one connection may have under way: more does not fit the sockets' buffers, and client and server
    /// would wait for each other.
    /// </summary>
    private const int MostUnderWay = 64 * 1024;

    /// <exception cref="RefusalException">The plan cannot be carried out here.</exception>
    public static void Check(BenchPlan plan, MachineFacts machine)
    {
        if ((long)plan.Depth * plan.PayloadBytes > MostUnderWay)
        {
            throw new RefusalException(
                ExitCode.BadUsage,
                Invariant($"--depth {plan.Depth} times --payload {plan.PayloadBytes} is more than {MostUnderWay} bytes under way on a ")
                    + "connection: make one of them smaller.");
        }

        if (plan.QueueMessages % 10 != 0)
            throw new RefusalException(
                ExitCode.BadUsage,
                Invariant($"--queue-messages {plan.QueueMessages} is no multiple of ten: messages go in tens."));
        if (plan.Beside is { IsLoopback: false } far)
            throw new RefusalException(
                ExitCode.BadUsage, $"--beside {far}: the bench puts full load on it, so it must be on this machine.");

        var most = plan.Kinds.Max(kind => kind switch
        {
            BenchKind.Idle => plan.IdleConnections,
            BenchKind.Misbehaving => plan.WellBehaved + (plan.Misbehaving * Enum.GetValues<Misbehaviour>().Length),
            _ => plan.SaturatingConnections,
        });
        var needed = new Demand(most, Pinned: false, LoopbackOnly: true, StartsServers: true).Descriptors;
        if (machine.Descriptors < needed)
        {
            throw new RefusalException(ExitCode.BadUsage, Invariant(
                $"The bench opens {most} connections and needs {needed} descriptors, but {machine.Descriptors} are allowed: run `ulimit ")
                    + Invariant($"-n {needed}` in this shell, or ask for fewer with --connections."));
        }

        if (machine.MissingServers.Count > 0)
            throw new RefusalException(
                ExitCode.BadUsage,
                $"{string.Join(", ", machine.MissingServers)} not found beside the program: build the whole solution again.");
        if (plan.Out is { } file && Path.GetDirectoryName(Path.GetFullPath(file)) is { } folder && !Directory.Exists(folder))
            throw new RefusalException(ExitCode.BadUsage, $"--out '{file}': there is no folder {folder}; make it first.");
    }
}
