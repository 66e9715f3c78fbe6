using PubSubOverWs.Experiment.Formats;

namespace PubSubOverWs.Experiment.Records;

/// <summary>Holds faults.csv against the scenario and the rows of iterations.csv.</summary>
internal static class FaultLog
{
    /// <summary>Each row of iterations.csv has one; one without a row is what a kill left, and counts nowhere.</summary>
    /// <exception cref="RecordException">One is missing, there twice, or of another level or block than its row, or foretells more losses
    /// than there were attempts.</exception>
    public static IReadOnlyDictionary<(string Arm, int Iteration), FaultRow> Checked(
        IReadOnlyList<FaultRow> faults, IReadOnlyList<IterationRow> rows)
    {
        var found = new Dictionary<(string, int), FaultRow>();
        var written = faults.ToLookup(fault => (fault.Arm, fault.Iteration));
        foreach (var row in rows)
        {
            var (of, where) = (written[(row.Arm, row.Iteration)].ToArray(), $"{row.Arm}, iteration {row.Iteration}");
            if (of is not [var fault])
                throw new RecordException(
                    $"faults.csv {(of.Length == 0 ? "lacks" : "has more than once")} {where}: {RecordException.Mend}.");
            if (fault.Users != row.Users || fault.Block != row.Block || fault.PredictedLost > row.Buckets.Attempts)
                throw new RecordException(
                    $"faults.csv has other users, another block or more losses than attempts for {where}: {RecordException.Mend}.");
            found[(row.Arm, row.Iteration)] = fault;
        }

        return found;
    }
}
