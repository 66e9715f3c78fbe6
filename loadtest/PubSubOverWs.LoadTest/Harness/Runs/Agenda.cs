namespace PubSubOverWs.LoadTest.Harness.Runs;

/// <summary>The trials of a job that are still to run. Further warm-ups of an arm are taken out of it once the arm is steady.</summary>
public sealed class Agenda(Scenario scenario, IReadOnlyList<Trial> trials)
{
    private readonly Dictionary<(Arm Arm, Level Level, int Block), List<IterationRow>> _warmUps = [];
    private readonly List<Trial> _left = [.. trials];

    /// <summary>Still to run, in order: with warm-ups that may turn out not to be needed.</summary>
    public IReadOnlyList<Trial> Left => _left;

    /// <summary>How many have ended.</summary>
    public int Done { get; private set; }

    /// <summary>The trial that ended last; null: none has.</summary>
    public Trial? Last { get; private set; }

    /// <summary>True: what is left is what will be run at most.</summary>
    public bool IsAtMost => _left.Exists(trial => trial.IsOptional(scenario));

    /// <summary>The trials of a block that run next: one, or all of a round; none: the block is over.</summary>
    public IReadOnlyList<Trial> Next(int block) =>
        [.. _left.TakeWhile(trial => trial.Block == block).Take(scenario.TrialsAtOnce)];

    /// <summary>Takes out the first of <see cref="Left"/>, which has ended, and the warm-ups that its row makes superfluous.</summary>
    public void Ended(IterationRow row)
    {
        var trial = _left[0];
        Last = trial;
        Done++;
        _left.RemoveAt(0);
        if (!trial.WarmUp || trial.MoreWarmUps == 0)
            return;
        if (!_warmUps.TryGetValue((trial.Arm, trial.Level, trial.Block), out var warmUps))
            _warmUps[(trial.Arm, trial.Level, trial.Block)] = warmUps = [];
        warmUps.Add(row);
        if (WarmUpRule.NeedsMore(scenario, warmUps))
            return;
        _left.RemoveAll(one =>
            one.WarmUp && one.Arm == trial.Arm && one.Block == trial.Block && one.Level.Equals(trial.Level));
        // The order counts rows, and there are none of these.
        for (var i = 0; i < _left.Count; i++)
            _left[i] = _left[i] with { Order = trial.Order + 1 + i };
    }
}
