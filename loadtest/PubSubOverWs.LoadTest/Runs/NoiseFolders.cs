using PubSubOverWs.Experiment.Compare;
using PubSubOverWs.Experiment.Formats;
using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>The A/A runs that <c>--noise</c> names.</summary>
public static class NoiseFolders
{
    /// <summary>The record, held against them; as it is where none is named.</summary>
    /// <exception cref="RecordException">One cannot be read, or says nothing of this run's noise.</exception>
    public static RunFolder Apply(RunFolder record, IReadOnlyList<string> folders) => folders.Count == 0
        ? record
        : record with
        {
            Noise = NoiseFloors.Of(
                record,
                folders.Select(folder => (Path.GetFileName(Path.TrimEndingDirectorySeparator(folder)), RecordReader.Read(folder))))
        };
}
