using System.Security.Cryptography;
using System.Text.RegularExpressions;

namespace PubSubOverWs.Record.Files;

/// <summary>
/// <c>SHA256SUMS</c>: what the source files of a record were when the run ended, as <c>sha256sum -c</c> reads it. Reports are no sources:
/// they are made again. It stops accidents; someone who changes a file on purpose can change its sum too.
/// </summary>
public static partial class Checksums
{
    /// <summary>Its name in the folder.</summary>
    public const string FileName = "SHA256SUMS";

    // A full run has some thousand files.
    private const int MostBytes = 64 << 20;

    private static readonly string[] LeftOut = ["samples", "stats"];

    public static bool AreIn(string folder) => Path.Exists(PathOf(folder));

    /// <summary>Writes the sums of all source files that are there.</summary>
    /// <exception cref="RecordException">A file cannot be read.</exception>
    public static void Write(string folder) => Write(folder, Sources(folder).Select(file => (file, SumOf(folder, file))));

    /// <summary>
    /// Takes up a file that was added to a record with sums, or replaced in it; the other sums stay. Nothing where the folder has no sums.
    /// </summary>
    /// <exception cref="RecordException">SHA256SUMS, or the file, cannot be read.</exception>
    public static void Renew(string folder, string file)
    {
        if (AreIn(folder))
            Write(folder,
                Read(folder).Where(sum => sum.Key != file).Select(sum => (sum.Key, sum.Value)).Append((file, SumOf(folder, file))));
    }

    /// <summary>The run goes on: from now on nothing is promised of its files.</summary>
    /// <exception cref="RecordException">It cannot be removed.</exception>
    public static void Remove(string folder) => RecordFiles.Write(FileName, () => File.Delete(PathOf(folder)));

    /// <summary>Checks the sums of the files that reports are made from, if the folder has sums.</summary>
    /// <returns>How many hold; no file that may be left out is among them.</returns>
    /// <exception cref="RecordException">Names the first that is not what the run wrote.</exception>
    public static (int Held, int LeftOut) CheckReported(string folder) => Check(folder, file => !LeftOut.Contains(FolderOf(file)));

    /// <summary>Checks the sums of all source files.</summary>
    /// <returns>How many hold, and how many files of samples/ and stats/ are not there: committed folders leave those out as a
    /// whole.</returns>
    /// <exception cref="RecordException">Names the first that is not what the run wrote, is not there, or that the run did not
    /// write.</exception>
    public static (int Held, int LeftOut) CheckAll(string folder) => Check(folder, _ => true);

    private static (int Held, int LeftOut) Check(string folder, Predicate<string> chosen)
    {
        if (!AreIn(folder))
            return default;
        var sums = Read(folder);
        var there = Sources(folder).Where(file => chosen(file)).ToHashSet(StringComparer.Ordinal);
        var absent = sums.Keys.Where(file => chosen(file) && !there.Contains(file)).Order(StringComparer.Ordinal).ToArray();
        if (Array.Find(
            absent, file => !LeftOut.Contains(FolderOf(file)) || Path.Exists(Path.Combine(folder, FolderOf(file)))) is { } missing)
            throw new RecordException($"There is no {missing}, which {FileName} names: {RecordException.Mend}.");
        foreach (var file in there.Order(StringComparer.Ordinal))
        {
            if (!sums.TryGetValue(file, out var sum))
                throw new RecordException($"{file} is not named in {FileName}, so this run did not write it: {RecordException.Mend}.");
            if (SumOf(folder, file) != sum)
                throw new RecordException($"{file} is not what the run wrote, by {FileName}: {RecordException.Mend}.");
        }

        return (there.Count, absent.Length);
    }

    /// <summary>The source files that are there, by their names in the folder, with <c>/</c>.</summary>
    private static IEnumerable<string> Sources(string folder)
    {
        string[] top = [RecordFiles.Run(folder), RecordFiles.Iterations(folder), RecordFiles.Events(folder), RecordFiles.Flows(folder),
            RecordFiles.Measures(folder), RecordFiles.Noise(folder)];
        return top.Where(Path.Exists).Select(RecordFiles.Name)
            .Concat(In(folder, "latency", "*.hlog")).Concat(In(folder, "samples", "*.csv.gz")).Concat(In(folder, "stats", "*.json"));
    }

    private static IEnumerable<string> In(string folder, string name, string pattern) => RecordFiles.HasFolder(folder, name)
        ? Directory.GetFileSystemEntries(Path.Combine(folder, name), pattern).Select(RecordFiles.NameIn)
        : [];

    private static string FolderOf(string file) =>
        file.Contains('/', StringComparison.Ordinal) ? file[..file.IndexOf('/', StringComparison.Ordinal)] : "";

    private static string SumOf(string folder, string file)
    {
        using var stream = RecordFiles.Open(Path.Combine(folder, file), file);
        return Convert.ToHexStringLower(SHA256.HashData(stream));
    }

    private static Dictionary<string, string> Read(string folder)
    {
        var sums = new Dictionary<string, string>(StringComparer.Ordinal);
        foreach (var line in RecordFiles.Text(PathOf(folder), FileName, MostBytes).Split('\n', StringSplitOptions.RemoveEmptyEntries))
        {
            if (SumLine().Match(line.TrimEnd('\r')) is not { Success: true } match
                || !sums.TryAdd(match.Groups["file"].Value, match.Groups["sum"].Value))
                throw new RecordException($"{FileName} is cut or damaged in line {sums.Count + 1}: {RecordException.Mend}.");
        }

        return sums;
    }

    private static void Write(string folder, IEnumerable<(string File, string Sum)> sums)
    {
        var lines = sums.OrderBy(one => one.File, StringComparer.Ordinal).Select(one => $"{one.Sum}  {one.File}\n");
        RecordFiles.Replace(PathOf(folder), string.Concat(lines));
    }

    private static string PathOf(string folder) => Path.Combine(folder, FileName);

    [GeneratedRegex("^(?<sum>[0-9a-f]{64}) [ *](?<file>[^\\\\]+)$")]
    private static partial Regex SumLine();
}
