using PubSubOverWs.LoadTest.Harness.Browser;
using PubSubOverWs.LoadTest.Harness.Runs;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Harness;

/// <summary>
/// An experiment: what its scenarios may say, the clients of a trial and what they send, and how its records are evaluated. The harness
/// runs it, counts what arrived, and records it; what only some experiments can do is an interface that they implement beside it.
/// </summary>
public abstract class Experiment
{
    /// <summary>Its name, its arms, and the keys of its scenarios.</summary>
    public abstract ScenarioKind Kind { get; }

    /// <summary>The metrics and claims of its records.</summary>
    public abstract Analysis Analysis { get; }

    /// <summary>Systems under test that no other experiment has.</summary>
    public virtual IReadOnlyList<Target> Targets { get; init; } = [];

    /// <summary>The load of one trial.</summary>
    /// <param name="scenario">Of this experiment.</param>
    /// <param name="run">
    /// Distinguishes this run's messages and destinations from those of other runs: up to 16 characters of <c>[A-Za-z0-9]</c>.
    /// </param>
    /// <param name="servers">Where clients connect.</param>
    public abstract ILoad Load(Scenario scenario, Trial trial, string run, ServerGroup servers);

    /// <summary>
    /// The measures of a trial by name, at least those of its scenario; null: no value. By default those that its load has observed.
    /// </summary>
    public virtual IReadOnlyDictionary<string, double?> Measures(TrialOutcome outcome) => outcome.Measured.Measures;
}

/// <summary>An experiment whose clients a page of a browser can have (<c>--client browser</c>).</summary>
public interface IBrowserLoad
{
    /// <summary>Refuses a scenario whose clients no page can have.</summary>
    /// <param name="clientOption">As the command line has it.</param>
    /// <exception cref="RefusalException">Says why, and what to do.</exception>
    void CheckBrowser(Scenario scenario, string clientOption);

    /// <summary>The load of one trial with its clients in a page.</summary>
    ILoad LoadInPage(Scenario scenario, Trial trial, string run, ServerGroup servers, BrowserPage page);
}

/// <summary>An experiment whose scenarios may be <see cref="ISimultaneousTrials"/>.</summary>
public interface ISimultaneousLoad
{
    /// <summary>The load of all trials of a round, which run at once.</summary>
    /// <inheritdoc cref="Experiment.Load"/>
    IRoundLoad LoadTogether(Scenario scenario, IReadOnlyList<Trial> trials, string run, ServerGroup servers);
}

/// <summary>An experiment with predictions that its records keep.</summary>
public interface IPredictedOutcome
{
    /// <summary>What is predicted for a run of this scenario; null: nothing.</summary>
    RegisteredPrediction? Predict(Scenario scenario);
}

/// <summary>An experiment whose load can inject faults below the accounting (<c>run --self-test</c>).</summary>
public interface ISelfTest
{
    /// <summary>Injects them, and checks that all are found.</summary>
    Task<ExitCode> RunSelfTestAsync(RunRequest request, Terminal terminal, CancellationToken stopping);
}
