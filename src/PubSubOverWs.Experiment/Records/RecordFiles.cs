using System.Globalization;

namespace PubSubOverWs.Experiment.Records;

/// <summary>Where each file of a record folder stands.</summary>
public static class RecordFiles
{
    public static string Run(string folder) => Path.Combine(folder, "run.json");

    public static string Iterations(string folder) => Path.Combine(folder, "iterations.csv");

    public static string Events(string folder) => Path.Combine(folder, "events.csv");

    public static string Noise(string folder) => Path.Combine(folder, "noise.json");

    public static string Samples(string folder, string arm, int iteration) =>
        Path.Combine(folder, "samples", string.Create(CultureInfo.InvariantCulture, $"{arm}-{iteration}.csv.gz"));

    public static string Stats(string folder, string arm, int iteration) =>
        Path.Combine(folder, "stats", string.Create(CultureInfo.InvariantCulture, $"{arm}-{iteration}.json"));

    /// <summary>How a user finds the file: the folder's own name and the file in it.</summary>
    internal static string Name(string path) => Path.GetFileName(path);
}
