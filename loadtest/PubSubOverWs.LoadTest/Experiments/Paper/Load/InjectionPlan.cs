using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.Paper.Load;

/// <summary>Draws the fault of each message before anything runs: about half have none, and none has two.</summary>
public static class InjectionPlan
{
    private const int LeftAlone = 8;

    private static readonly InjectedFault[] Anywhere =
        [InjectedFault.Lose, InjectedFault.LoseWithReceipt, InjectedFault.LoseReceipt, InjectedFault.Refuse, InjectedFault.Duplicate,
            InjectedFault.Corrupt, InjectedFault.Misdirect];

    /// <summary>The faults of one user's messages, in sending order; the same arguments give the same faults.</summary>
    /// <param name="messages">1 or more.</param>
    /// <param name="random">Used for this user only.</param>
    /// <remarks>
    /// Only the last message is delayed: an earlier one would also be out of order. The message after a swapped one has no fault, so that
    /// the two can be swapped.
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

/// <summary>The change of one message by a self-test, between the connection and the client log.</summary>
public enum InjectedFault
{
    None,

    /// <summary>The message is dropped, its receipt is not.</summary>
    Lose,

    /// <summary>The message and its receipt are dropped.</summary>
    LoseWithReceipt,

    /// <summary>Only the receipt is dropped.</summary>
    LoseReceipt,

    /// <summary>The message is dropped, and its receipt says that it was shed, as by a server with full outboxes.</summary>
    Refuse,

    /// <summary>The message is handed on twice.</summary>
    Duplicate,

    /// <summary>The message is handed on after the next one.</summary>
    Swap,

    /// <summary>One byte of the body is changed.</summary>
    Corrupt,

    /// <summary>The message is held back until all deadlines are over.</summary>
    Delay,

    /// <summary>A message for another user is added.</summary>
    Misdirect,
}

/// <summary>The faults of one self-test iteration, by user, and their ledger.</summary>
/// <param name="plan">With two users or more, and with receipts.</param>
/// <param name="seed">The same seed gives the same faults.</param>
public sealed class FaultInjection(IterationPlan plan, int seed)
{
    /// <summary>The scenario of a self-test. A user sends every 200 ms, far enough apart for servers to keep the order.</summary>
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
