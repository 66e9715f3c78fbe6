namespace PubSubOverWs.Tests.Repository;

/// <summary>
/// The committed runs that tests take as material. A label is enough while one run has it; where there are more, the folder is named here.
/// </summary>
internal static class CommittedRuns
{
    /// <summary>Of record version 1, without <c>flows.csv</c>.</summary>
    public const string Burst = "results/paper/2026-11-22T03-19-06Z-burst";

    /// <summary>Copies all files of a committed run.</summary>
    /// <param name="name">A folder, as above, or a label that exactly one run has.</param>
    /// <param name="to">An empty folder.</param>
    public static void Copy(string name, string to)
    {
        var named = ((IEnumerable<object[]>)CommittedRunTests.Folders).Select(row => (string)row[0])
            .Single(folder => folder == name || folder.EndsWith($"-{name}", StringComparison.Ordinal));
        var from = Path.Combine(SourceTree.Root, named);
        foreach (var file in Directory.EnumerateFiles(from, "*", SearchOption.AllDirectories))
        {
            var copy = Path.Combine(to, Path.GetRelativePath(from, file));
            Directory.CreateDirectory(Path.GetDirectoryName(copy)!);
            File.Copy(file, copy);
        }
    }
}
