namespace PubSubOverWs.LoadTest.Harness.Live;

/// <summary>Sums the results so far by level and arm, without warm-up and floor. For display only: the report reads the files.</summary>
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
        score.Add(row);
    }

    private sealed class Score
    {
        private long _attempts;
        private long _delivered;
        private int _iterations;
        private int _measured;
        private double _meanMicroseconds;

        public void Add(IterationRow row)
        {
            _iterations++;
            _attempts += row.Buckets.Attempts;
            _delivered += row.Buckets.Delivered;
            if (row.Latency.Mean is not { } mean)
                return;
            _measured++;
            _meanMicroseconds += (mean - _meanMicroseconds) / _measured;
        }

        public ArmProgress Progress((Level Level, string Arm) key) => new(
            key.Arm, key.Level, _iterations, _attempts, _delivered, _measured == 0 ? null : TimeSpan.FromMicroseconds(_meanMicroseconds));
    }
}
