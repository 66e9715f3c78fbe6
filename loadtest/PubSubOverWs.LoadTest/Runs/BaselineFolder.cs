using PubSubOverWs.Experiment;
using PubSubOverWs.Experiment.Formats;
using PubSubOverWs.Experiment.Gates;
using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>The record that <c>--baseline</c> names.</summary>
public static class BaselineFolder
{
    /// <param name="folder">Null: none was named.</param>
    /// <param name="gates">All that are checked.</param>
    /// <exception cref="RefusalException">No gate is held against it: a gate was forgotten.</exception>
    /// <exception cref="RecordException">It cannot be used.</exception>
    public static RunFolder? Read(string? folder, IEnumerable<Gate> gates) => folder switch
    {
        null => null,
        _ when gates.Any(gate => gate.NeedsBaseline) => RecordReader.Read(folder),
        _ =>
            throw new RefusalException(
                ExitCode.BadUsage,
                "--baseline is of no use without a gate that names it: leave it away, or say --gate \"pubsub.latency.mean <= baseline * "
                    + "1.10 + 2ms\"."),
    };
}
