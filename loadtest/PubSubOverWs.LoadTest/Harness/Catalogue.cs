using PubSubOverWs.LoadTest.Harness.Workers;
using PubSubOverWs.Report;

namespace PubSubOverWs.LoadTest.Harness;

/// <summary>The experiments of this program. The harness, the records and the reports know them only through this list.</summary>
public static class Catalogue
{
    /// <summary>In the order in which they are described; a scenario that names none is of the first.</summary>
    /// <exception cref="InvalidOperationException">They were not set.</exception>
    public static IReadOnlyList<Experiment> Experiments
    {
        get => field ?? throw new InvalidOperationException("The experiments of this program were not set.");
        private set;
    }

    /// <summary>Sets the experiments: once, when the program starts.</summary>
    /// <param name="experiments">At least one; kinds with unique names.</param>
    public static void Set(IReadOnlyList<Experiment> experiments)
    {
        Experiments = experiments;
        ScenarioKinds.Set([.. experiments.Select(one => one.Kind)]);
        AnalysisList.Set(experiments.ToDictionary(one => one.Kind, one => one.Analysis));
    }

    /// <summary>The experiment that a scenario is of.</summary>
    public static Experiment For(Scenario scenario) => Experiments.Single(one => one.Kind == scenario.Kind);

    /// <summary>An experiment whose clients several load processes can share.</summary>
    /// <param name="experiment">Its name.</param>
    /// <exception cref="InvalidOperationException">There is none: its scenarios have no key <c>workers</c>.</exception>
    public static ISharedLoad Shared(string experiment) =>
        Experiments.Single(one => one.Kind.Name == experiment) as ISharedLoad
            ?? throw new InvalidOperationException($"The clients of {experiment} cannot be shared.");
}
