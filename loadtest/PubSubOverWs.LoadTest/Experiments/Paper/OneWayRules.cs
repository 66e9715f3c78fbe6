using PubSubOverWs.LoadTest.Experiments.Paper.Faults;

namespace PubSubOverWs.LoadTest.Experiments.Paper;

/// <summary>Rules for messages, workload and fault of a scenario.</summary>
internal static class OneWayRules
{
    // Fewer give no rate.
    private const int LeastMessages = 20;
    // The pubsub server's own default.
    private static readonly TimeSpan DefaultVisibility = TimeSpan.FromSeconds(30);
    // Time to deliver what was hidden or had an offline recipient.
    private static readonly TimeSpan Recovery = TimeSpan.FromSeconds(10);

    public static void Check(OneWayScenario scenario)
    {
        var name = scenario.Name;
        var fault = scenario.Fault;
        ScenarioRules.CheckRange(name, "messages", scenario.Messages, 1, 10_000);
        if (scenario.Messages > 1)
            ScenarioRules.CheckRange(
                name, "payloadBytes", scenario.PayloadBytes, PayloadRoom.For(scenario.Users.Max(), scenario.Messages), 65_536);
        ScenarioRules.CheckTime(name, "arrival", scenario.Arrival.Spread, TimeSpan.Zero);
        ScenarioException.ThrowUnless(scenario.Workload == Workload.Loopback || !scenario.Floor,
            $"'floor' of scenario '{name}' must be false with the workload pairs: an echo answers who sent.");
        if (fault is NoFault)
            return;
        ScenarioException.ThrowUnless(!scenario.IsAgainstItself,
            $"The fault {fault.Profile} of scenario '{name}' cannot be run with one server against itself: its prediction is about "
                + "direct and pubsub.");
        ScenarioException.ThrowUnless(scenario.PubSubNodes == 1 || !fault.NeedsOwnServers,
            $"'pubsubNodes' of scenario '{name}' must be 1 with the fault {fault.Profile}.");
        if (fault.NeedsPairs)
            CheckPairs(scenario, fault);
        ScenarioException.ThrowUnless(scenario.Receipts || !fault.NeedsReceipts,
            $"'receipts' of scenario '{name}' must be true with the fault {fault.Profile}: without receipts it is not known which "
                + "messages were acknowledged or shed.");
        ScenarioException.ThrowUnless(scenario.Pinning || !fault.NeedsPinning,
            $"'pinning' of scenario '{name}' must be true with the fault {fault.Profile}: the server under test has one core, and "
                + "nothing else on it.");
        if (fault.WhatIsWrong(scenario) is { } wrong)
            throw new ScenarioException(wrong);
    }

    private static void CheckPairs(OneWayScenario scenario, Fault fault)
    {
        var name = scenario.Name;
        var with = $"with the fault {fault.Profile}";
        ScenarioException.ThrowUnless(scenario.Workload == Workload.Pairs,
            $"'workload' of scenario '{name}' must be pairs {with}: a user that is cut cannot send meanwhile. Use the scenario faults, "
                + "whose workload it is.");
        ScenarioException.ThrowUnless(!scenario.Arrival.IsBurst,
            $"'arrival' of scenario '{name}' must be spread over time {with}, such as spread:25s.");
        ScenarioException.ThrowUnless(scenario.Messages >= LeastMessages,
            $"'messages' of scenario '{name}' is {scenario.Messages}: it must be {LeastMessages} or more {with}.");
        var least = (scenario.Visibility ?? DefaultVisibility) + fault.Outage + Recovery;
        ScenarioException.ThrowUnless(scenario.Deadline >= least,
            $"'deadline' of scenario '{name}' is {Duration.Text(scenario.Deadline)}: {with} it must be {Duration.Text(least)} or more, "
                + $"which is visibility, outage and {Duration.Text(Recovery)}.");
    }
}
