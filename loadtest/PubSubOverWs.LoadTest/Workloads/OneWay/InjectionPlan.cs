using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Experiments.OneWay;
using PubSubOverWs.LoadTest.Clients;

namespace PubSubOverWs.LoadTest.Workloads.OneWay;

/// <summary>
/// Draws the fault of each message before anything runs: about half have none, and none has two.
/// </summary>
public static class InjectionPlan
{
    private const int LeftAlone = 8;

    private static readonly InjectedFault[] Anywhere =
        [InjectedFault.Lose, InjectedFault.LoseWithReceipt, InjectedFault.LoseReceipt, InjectedFault.TurnAway, InjectedFault.Duplicate,
            InjectedFault.Corrupt, InjectedFault.Misdirect];

    /// <summary>The faults of one user's messages, in sending order; the same arguments give the same faults.</summary>
    /// <param name="messages">1 or more.</param>
    /// <param name="random">Of this user alone.</param>
    /// <remarks>
    /// Only the last message is delayed: an earlier one would also come out of order. The message after one that is swapped is left alone,
    /// so that the swap can be done.
    /// </remarks>
    public static IReadOnlyList<InjectedFault> Draw(int messages, Random random)
    {
        var faults = new InjectedFault[messages];
        for (var i = 0; i < messages; i++)
        {
            var drawn = random.Next(Anywhere.Length + 1 + LeftAlone);
            var afterSwap = i > 0 && faults[i - 1] == InjectedFault.Swap;
            faults[i] = afterSwap || drawn > Anywhere.Length ? InjectedFault.None
                : drawn < Anywhere.Length ? Anywhere[drawn]
                : i == messages - 1 ? InjectedFault.Delay
                : InjectedFault.Swap;
        }
        return faults;
    }
}

/// <summary>What a self-test does to one message between the connection and the client log.</summary>
public enum InjectedFault
{
    None,

    /// <summary>The message is swallowed; its receipt is not.</summary>
    Lose,

    /// <summary>The message and its receipt are swallowed.</summary>
    LoseWithReceipt,

    /// <summary>The receipt alone is swallowed.</summary>
    LoseReceipt,

    /// <summary>
    /// The message is swallowed, and its receipt says that it was shed: what a server looks like whose outboxes are full.
    /// </summary>
    TurnAway,

    /// <summary>The message is handed on twice.</summary>
    Duplicate,

    /// <summary>The message is handed on after the next one.</summary>
    Swap,

    /// <summary>One byte of the body is another.</summary>
    Corrupt,

    /// <summary>The message is held back until all deadlines are over.</summary>
    Delay,

    /// <summary>With it comes a whole message that is meant for another user.</summary>
    Misdirect,
}

/// <summary>The faults of one self-test iteration, by user, and their ledger.</summary>
/// <param name="plan">Of the iteration: it has two users or more, and asks for receipts.</param>
/// <param name="seed">Decides everything.</param>
public sealed class FaultInjection(IterationPlan plan, int seed)
{
    /// <summary>What a self-test runs. A user sends every 200 ms: far enough apart for servers to keep the order.</summary>
    public static Scenario Scenario { get; } = new OneWayScenario
    {
        Name = "self-test",
        Users = [200],
        Messages = 10,
        Iterations = 1,
        Blocks = 1,
        WarmUps = 0,
        Floor = false,
        Receipts = true,
        Arrival = new Arrival(TimeSpan.FromSeconds(2)),
        Deadline = TimeSpan.FromSeconds(2),
    };

    public Ledger Ledger { get; } = new();

    /// <summary>The injector between the connection of a user and its log.</summary>
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
