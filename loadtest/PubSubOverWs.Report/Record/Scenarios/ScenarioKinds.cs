namespace PubSubOverWs.Record.Scenarios;

/// <summary>All experiments that a scenario can be of.</summary>
public static class ScenarioKinds
{
    /// <summary>As the program that uses this library has set them when it started.</summary>
    public static IReadOnlyList<ScenarioKind> All
    {
        get => field.Count > 0 ? field : throw new InvalidOperationException("No experiments were set: call Catalogue.Set first.");
        private set;
    } = [];

    /// <summary>That of a scenario that names none.</summary>
    public static ScenarioKind First => All[0];

    /// <summary>Sets the experiments, once and before any scenario is read.</summary>
    /// <param name="kinds">At least one, with unique names.</param>
    public static void Set(IReadOnlyList<ScenarioKind> kinds) => All = kinds;

    /// <exception cref="ScenarioException">There is none.</exception>
    public static ScenarioKind Of(string name) => All.FirstOrDefault(kind => kind.Name == name)
        ?? throw new ScenarioException(
            $"The experiment '{name}' is not known{Spelling.Among(name, [.. All.Select(kind => kind.Name)])}.");
}
