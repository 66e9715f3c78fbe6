namespace PubSubOverWs.Experiment.Design;

/// <summary>An experiment, as far as its scenarios go.</summary>
/// <param name="Name">In the key <c>experiment</c>.</param>
/// <param name="Arms">What can be run.</param>
/// <param name="Contrasts">What is compared, at least one; the first is the main one.</param>
/// <param name="Factors">What is varied beside the arm.</param>
/// <param name="Keys">In the order in which they are written.</param>
/// <param name="QuickKeys">Those that a quick form may set.</param>
/// <param name="Empty">A scenario with every default and without levels.</param>
public sealed record ScenarioKind(
    string Name, IReadOnlyList<Arm> Arms, IReadOnlyList<Contrast> Contrasts, IReadOnlyList<Factor> Factors,
    IReadOnlyList<ScenarioKey> Keys, IReadOnlyList<string> QuickKeys, Func<Scenario> Empty)
{
    /// <summary>Numbers that each trial leaves beside its row.</summary>
    public IReadOnlyList<Measure> Measures { get; init; } = [];

    /// <summary>False: attempts are too many to be kept one by one; the record has their counts and distributions only.</summary>
    public bool KeepsSamples { get; init; } = true;

    /// <summary>The arm of this name, or an instance of a target; null: there is none.</summary>
    public Arm? FindArm(string name) =>
        Arms.Concat(Arms.Where(arm => arm.Name == arm.Target).SelectMany(arm => arm.Instances)).FirstOrDefault(arm => arm.Name == name);
}

/// <summary>A number that a trial leaves beside its row: a line of measures.csv.</summary>
/// <param name="Name">As it stands in the file.</param>
/// <param name="Unit">Of its values.</param>
/// <param name="Text">What it is, in half a sentence.</param>
public sealed record Measure(string Name, string Unit, string Text);
