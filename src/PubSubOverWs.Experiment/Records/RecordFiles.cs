using System.Globalization;

namespace PubSubOverWs.Experiment.Records;

/// <summary>Where each file of a record folder stands.</summary>
public static class RecordFiles
{
    public static string Run(string folder) => Path.Combine(folder, "run.json");

    public static string Iterations(string folder) => Path.Combine(folder, "iterations.csv");

    public static string Events(string folder) => Path.Combine(folder, "events.csv");

    /// <summary>Only of runs with the workload pairs.</summary>
    public static string Faults(string folder) => Path.Combine(folder, "faults.csv");

    public static string Noise(string folder) => Path.Combine(folder, "noise.json");

    public static string Samples(string folder, string arm, int iteration) =>
        Path.Combine(folder, "samples", string.Create(CultureInfo.InvariantCulture, $"{arm}-{iteration}.csv.gz"));

    public static string Stats(string folder, string arm, int iteration) =>
        Path.Combine(folder, "stats", string.Create(CultureInfo.InvariantCulture, $"{arm}-{iteration}.json"));

    /// <summary>The folder of the two below; not there in records that are older than it.</summary>
    public static string Latency(string folder) => Path.Combine(folder, "latency");

    public static string LatencyLog(string folder, string arm, int users) =>
        Path.Combine(Latency(folder), string.Create(CultureInfo.InvariantCulture, $"{arm}-{users}.hlog"));

    /// <summary>Made from the log, as reports are.</summary>
    public static string Percentiles(string folder, string arm, int users) =>
        Path.Combine(Latency(folder), string.Create(CultureInfo.InvariantCulture, $"{arm}-{users}.hgrm"));

    /// <summary>How a user finds a file that stands in the record's folder itself.</summary>
    internal static string Name(string path) => Path.GetFileName(path);

    /// <summary>How a user finds a file that stands in a folder of the record, such as <c>samples/direct-1.csv.gz</c>.</summary>
    public static string NameIn(string path) => $"{Path.GetFileName(Path.GetDirectoryName(path))}/{Path.GetFileName(path)}";
}
