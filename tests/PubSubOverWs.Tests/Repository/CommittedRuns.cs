using PubSubOverWs.Tests.Record;

namespace PubSubOverWs.Tests.Repository;

/// <summary>
/// The committed runs that tests take as material. A label is enough while one run has it; where there are more, the folder is named here.
/// </summary>
internal static class CommittedRuns
{
    /// <summary>The folders of all, from the root, with slashes: by experiment, and then by time.</summary>
    public static IEnumerable<string> Folders =>
        Directory.EnumerateFiles(Path.Combine(SourceTree.Root, "results"), "run.json", SearchOption.AllDirectories)
            .Select(path => Path.GetRelativePath(SourceTree.Root, Path.GetDirectoryName(path)!).Replace('\\', '/'))
            .Order(StringComparer.Ordinal);

    public const string Burst = "results/paper/2026-11-22T03-19-06Z-burst";

    /// <summary>Copies all files of a committed run.</summary>
    /// <param name="name">A folder, as above, or a label that exactly one run has.</param>
    /// <param name="to">An empty folder.</param>
    public static void Copy(string name, string to)
    {
        var named = Folders.Single(folder => folder == name || folder.EndsWith($"-{name}", StringComparison.Ordinal));
        TemporaryFolder.Copy(Path.Combine(SourceTree.Root, named), to);
    }
}
