using PubSubOverWs.LoadTest.Clients;

namespace PubSubOverWs.LoadTest.Workloads.OneWay;

/// <summary>The faults of one self-test iteration: who gets which, and the ledger of them.</summary>
/// <param name="plan">Of the iteration: it has two users or more, and asks for receipts.</param>
/// <param name="seed">Decides everything.</param>
public sealed class FaultInjection(IterationPlan plan, int seed)
{
    public Ledger Ledger { get; } = new();

    /// <summary>What stands between the connection of a user and its log.</summary>
    /// <param name="user">From 0.</param>
    /// <param name="log">The user's.</param>
    public Injector Between(int user, ClientLog log)
    {
        var random = new Random(unchecked((seed * 1_000_003) + user));
        var other = (user + 1) % plan.Users;
        var stray = Payload.Write(plan.PayloadBytes, plan.MessageId(other, 0), other, sequence: 0);
        return new Injector(
            log, InjectionPlan.Draw(plan.Messages, random), stray, new ServerWatch(log.Messages, plan.Deadline / 2, Ledger), Ledger,
            random);
    }
}
