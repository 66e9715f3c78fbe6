using System.Security.Cryptography;
using System.Text.RegularExpressions;

namespace PubSubOverWs.Record.Files;

/// <summary>
/// <c>SHA256SUMS</c>: what the source files of a record were when the run ended, as <c>sha256sum -c</c> reads it. Reports are no sources:
/// they are made again. It stops accidents; someone who changes a file on purpose can change its sum too.
/// </summary>
public static partial class Checksums
{
    public const string FileName = "SHA256SUMS";

    private const int MaxBytes = 1 << 20;

    // By committed folders.
    private static readonly string[] LeftOut = [.. new[] { RecordFiles.Samples(""), RecordFiles.Stats("") }.Select(RecordFiles.Name)];

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
    /// <returns>How many hold.</returns>
    /// <exception cref="RecordException">Names the first that is not what the run wrote.</exception>
    public static int CheckReported(string folder) => Check(folder, file => !LeftOut.Contains(file));

    /// <summary>Checks the sums of all source files.</summary>
    /// <returns>How many hold.</returns>
    /// <exception cref="RecordException">Names the first that is not what the run wrote, is not there, or that the run did not
    /// write.</exception>
    public static int CheckAll(string folder) => Check(folder, _ => true);

    private static int Check(string folder, Predicate<string> chosen)
    {
        if (!AreIn(folder))
            return 0;
        var sums = Read(folder);
        string[] there = [.. Sources(folder).Where(file => chosen(file))];
        if (sums.Keys.Except(there).Except(LeftOut).Order(StringComparer.Ordinal).FirstOrDefault() is { } missing)
            throw new RecordException($"There is no {missing}, which {FileName} names: {RecordException.Mend}.");
        foreach (var file in there.Order(StringComparer.Ordinal))
        {
            if (!sums.TryGetValue(file, out var sum))
                throw new RecordException($"{file} is not named in {FileName}, so this run did not write it: {RecordException.Mend}.");
            if (SumOf(folder, file) != sum)
                throw new RecordException($"{file} is not what the run wrote, by {FileName}: {RecordException.Mend}.");
        }

        return there.Length;
    }

    private static IEnumerable<string> Sources(string folder)
    {
        string[] all =
        [
            RecordFiles.Run(folder), RecordFiles.Iterations(folder), RecordFiles.Events(folder), RecordFiles.Flows(folder),
            RecordFiles.Measures(folder), RecordFiles.Latency(folder), RecordFiles.Samples(folder), RecordFiles.Stats(folder),
            RecordFiles.Noise(folder),
        ];
        return all.Where(Path.Exists).Select(RecordFiles.Name);
    }

    private static string SumOf(string folder, string file)
    {
        using var stream = RecordFiles.Open(Path.Combine(folder, file));
        return Convert.ToHexStringLower(SHA256.HashData(stream));
    }

    private static Dictionary<string, string> Read(string folder)
    {
        var sums = new Dictionary<string, string>(StringComparer.Ordinal);
        foreach (var line in RecordFiles.Text(PathOf(folder), MaxBytes).Split('\n', StringSplitOptions.RemoveEmptyEntries))
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
