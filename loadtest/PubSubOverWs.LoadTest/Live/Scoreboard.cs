using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.LoadTest.Live;

/// <summary>
/// Adds up what a run has shown so far, by level and arm; warm-up and the floor are left out. Only for the eye: the report reads the files.
/// </summary>
public sealed class Scoreboard
{
    private readonly Dictionary<(Level Level, string Arm), Score> _scores = [];

    public IReadOnlyList<ArmProgress> Arms =>
        [.. _scores.OrderBy(score => score.Key.Level, Level.Order).ThenBy(score => score.Key.Arm, StringComparer.Ordinal)
            .Select(score => score.Value.Progress(score.Key))];

    public void Add(IterationRow row)
    {
        if (!row.Counts || row.Arm == Arm.Floor.Name)
            return;
        if (!_scores.TryGetValue((row.Level, row.Arm), out var score))
            _scores[(row.Level, row.Arm)] = score = new Score();
        score.Add(row, row.Latency.Mean);
    }

    private sealed class Score
    {
        private long _attempts;
        private long _delivered;
        private int _iterations;
        private int _measured;
        private double _meanMicroseconds;

        public void Add(IterationRow row, double? meanMicroseconds)
        {
            _iterations++;
            _attempts += row.Buckets.Attempts;
            _delivered += row.Buckets.Delivered;
            if (meanMicroseconds is not { } mean)
                return;
            _measured++;
            _meanMicroseconds += (mean - _meanMicroseconds) / _measured;
        }

        public ArmProgress Progress((Level Level, string Arm) key) => new(
            key.Arm, key.Level, _iterations, _attempts, _delivered, _measured == 0 ? null : TimeSpan.FromMicroseconds(_meanMicroseconds));
    }
}
