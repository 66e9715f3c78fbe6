using System.Globalization;
using PubSubOverWs.Experiment.Formats;
using PubSubOverWs.Experiment.Gates;

namespace PubSubOverWs.Experiment.Design;

internal static class ScenarioRules
{
    public static void Check(Scenario scenario)
    {
        var name = scenario.Name;
        ScenarioException.ThrowUnless(name.Length is > 0 and <= 60 && name.All(c => char.IsAsciiLetterOrDigit(c) || c is '-' or '_'),
            $"The scenario's name '{name}' must be 1 to 60 letters, digits, '-' or '_'.");
        ScenarioException.ThrowUnless(scenario.Arms.Count > 0 && scenario.Arms.Distinct().Count() == scenario.Arms.Count,
            $"'arms' of scenario '{name}' must name at least one arm, and each once: direct, {Design.Arms.Buffered}, pubsub.");
        CheckArms(name, scenario);
        CheckUsers(name, "users", scenario.Users);
        CheckRange(name, "iterations", scenario.Iterations, 1, 10_000);
        CheckRange(name, "blocks", scenario.Blocks, 1, scenario.Iterations);
        CheckRange(name, "warmUps", scenario.WarmUps, 0, 100);
        CheckRange(name, "payloadBytes", scenario.PayloadBytes, 64, 65_536);
        CheckRange(name, "pubsubNodes", scenario.PubSubNodes, 1, 16);
        CheckRange(name, "messages", scenario.Messages, 1, 10_000);
        if (scenario.Messages > 1)
            CheckRange(name, "payloadBytes", scenario.PayloadBytes, PayloadRoom.For(scenario.Users.Max(), scenario.Messages), 65_536);
        CheckTime(name, "deadline", scenario.Deadline, TimeSpan.FromMilliseconds(1));
        CheckTime(name, "arrival", scenario.Arrival.Spread, TimeSpan.Zero);
        if (scenario.Quick is { } quick)
        {
            CheckUsers(name, "quick.users", quick.Users);
            CheckRange(name, "quick.iterations", quick.Iterations, 1, 10_000);
            CheckRange(name, "quick.blocks", quick.Blocks, 1, quick.Iterations);
        }

        foreach (var gate in scenario.Gates)
            CheckGate(gate);
        FaultRules.Check(scenario);
    }

    private static void CheckArms(string name, Scenario scenario)
    {
        if (!scenario.IsAgainstItself)
            return;
        ScenarioException.ThrowUnless(
                scenario.Arms.Count == 2 && scenario.Arms[0].Target == scenario.Arms[1].Target
                    && scenario.Arms.All(arm => arm.Instance.Length > 0),
            $"'arms' of scenario '{name}' must be both instances of one server and nothing else, such as direct-a and direct-b.");
        ScenarioException.ThrowUnless(
                scenario.PubSubNodes == 1, $"'pubsubNodes' of scenario '{name}' must be 1 where one server is measured against itself.");
    }

    private static void CheckGate(string gate)
    {
        try
        {
            Gate.Parse(gate);
        }
        catch (GateException e)
        {
            throw new ScenarioException(e.Message, e);
        }
    }

    private static void CheckUsers(string name, string key, IReadOnlyList<int> users)
    {
        ScenarioException.ThrowUnless(users.Count > 0 && users.Distinct().Count() == users.Count,
            $"'{key}' of scenario '{name}' must name at least one level, and each once.");
        foreach (var level in users)
            CheckRange(name, key, level, 1, 1_000_000);
    }

    private static void CheckTime(string name, string key, TimeSpan value, TimeSpan least) =>
        ScenarioException.ThrowUnless(value >= least && value <= TimeSpan.FromMinutes(10),
            $"'{key}' of scenario '{name}' is {Duration.Text(value)}: it must be from {Duration.Text(least)} to 600s.");

    private static void CheckRange(string name, string key, int value, int least, int most) => ScenarioException.ThrowUnless(
        value >= least && value <= most,
        string.Create(CultureInfo.InvariantCulture, $"'{key}' of scenario '{name}' is {value}: it must be from {least} to {most}."));
}
