namespace PubSubOverWs.Record.Scenarios;

/// <summary>The rules for scenarios of every experiment.</summary>
public static class ScenarioRules
{
    /// <summary>Returns the scenario if every value is in its range.</summary>
    /// <exception cref="ScenarioException">Names the first value that is not.</exception>
    public static T Checked<T>(this T scenario) where T : Scenario
    {
        Check(scenario);
        return scenario;
    }

    /// <param name="most">Null: 10 min.</param>
    internal static void CheckTime(string name, string key, TimeSpan value, TimeSpan least, TimeSpan? most = null)
    {
        var longest = most ?? TimeSpan.FromMinutes(10);
        ScenarioException.ThrowUnless(value >= least && value <= longest,
            $"'{key}' of scenario '{name}' is {Duration.Text(value)}: it must be from {Duration.Text(least)} to {Duration.Text(longest)}.");
    }

    internal static void CheckRange(string name, string key, int value, int least, int most) => ScenarioException.ThrowUnless(
        value >= least && value <= most,
        $"'{key}' of scenario '{name}' is {value}: it must be from {least} to {most}.");

    /// <summary>The numbers of a factor: one at least, each once, each within its range.</summary>
    internal static void CheckNumbers(string name, string key, IReadOnlyList<int> values, int least, int most)
    {
        ScenarioException.ThrowUnless(values.Count > 0 && values.Distinct().Count() == values.Count,
            $"'{key}' of scenario '{name}' must name at least one level, and each once.");
        foreach (var value in values)
            CheckRange(name, key, value, least, most);
    }

    private static void Check(Scenario scenario)
    {
        var name = scenario.Name;
        ScenarioException.ThrowUnless(name.Length is > 0 and <= 60 && name.All(c => char.IsAsciiLetterOrDigit(c) || c is '-' or '_'),
            $"The scenario's name '{name}' must be 1 to 60 letters, digits, '-' or '_'.");
        ScenarioException.ThrowUnless(scenario.Arms.Count > 0 && scenario.Arms.Distinct().Count() == scenario.Arms.Count,
            $"'arms' of scenario '{name}' must name at least one arm, and each once: {string.Join(", ", scenario.Kind.Arms)}.");
        ScenarioException.ThrowUnless(
            !scenario.IsAgainstItself || (scenario.Arms.Count == 2 && scenario.Arms[0].Target == scenario.Arms[1].Target
                && scenario.Arms.All(arm => arm.Instance.Length > 0)),
            $"'arms' of scenario '{name}' must be both instances of one server and nothing else, such as "
                + $"{string.Join(" and ", scenario.Kind.Arms[0].Instances)}.");
        ScenarioException.ThrowUnless(
            !scenario.IsTogether || (!scenario.Floor && scenario.Arms.DistinctBy(arm => scenario.SetUp(arm).NameFor(arm)).Count() == 1),
            $"The arms of scenario '{name}' run at once, so they must share their servers and cannot have a floor.");
        CheckSize(scenario, name, "");
        CheckRange(name, "warmUps", scenario.WarmUps, 0, 100);
        if (scenario.MostWarmUps != 0)
            CheckRange(name, "mostWarmUps", scenario.MostWarmUps, Math.Max(Scenario.JudgedWarmUps, scenario.WarmUps), 100);
        if (scenario.Kind.Keys.Contains(CommonKeys.PayloadBytes))
            CheckRange(name, "payloadBytes", scenario.PayloadBytes, 64, 65_536);
        CheckTime(name, "deadline", scenario.Deadline, TimeSpan.FromMilliseconds(1));
        if (scenario.Quick is { } quick)
            CheckSize(quick.ApplyTo(scenario), name, "quick.");
        scenario.CheckOwn();
    }

    private static void CheckSize(Scenario scenario, string name, string prefix)
    {
        scenario.CheckLevels(prefix);
        CheckRange(name, prefix + "iterations", scenario.Iterations, 1, 10_000);
        CheckRange(name, prefix + "blocks", scenario.Blocks, 1, scenario.Iterations);
    }
}
