using System.Reflection;
using System.Xml.Linq;

namespace PubSubOverWs.Tests.Repository;

/// <summary>The repository that these tests were built from: its files, without what a build or a run of an experiment makes.</summary>
internal static class SourceTree
{
    private static readonly string[] Made = [".git", ".vs", ".idea", "artifacts", "results", "node_modules", "bin", "obj", "TestResults",
        "BenchmarkDotNet.Artifacts"];

    public static string Root { get; } = Path.GetFullPath(
        typeof(SourceTree).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().Single(data => data.Key == "RepositoryRoot").Value!);

    /// <summary>Paths from the root, with slashes; <paramref name="folder"/> is "" for all of it.</summary>
    public static IEnumerable<string> Files(string folder, params string[] extensions) =>
        Below(new DirectoryInfo(Path.Combine(Root, folder)))
            .Where(file => extensions.Contains(file.Extension))
            .Select(file => Path.GetRelativePath(Root, file.FullName).Replace('\\', '/'))
            .Order(StringComparer.Ordinal);

    /// <summary>The scenario files of all experiments.</summary>
    public static IEnumerable<string> Scenarios => Files("loadtest/PubSubOverWs.LoadTest/Experiments", ".json");

    /// <summary>Everything that is text, the committed records too.</summary>
    public static IEnumerable<string> Texts => Below(new DirectoryInfo(Root))
        .Concat(Below(new DirectoryInfo(Path.Combine(Root, "results"))))
        .Where(file => file.Extension is not (".gz" or ".png" or ".ico"))
        .Select(file => Path.GetRelativePath(Root, file.FullName).Replace('\\', '/'));

    public static string Read(string path) => File.ReadAllText(Path.Combine(Root, path));

    /// <summary>The words of a page of prose, however its lines are broken, without what makes them bold.</summary>
    public static string Words(string path) => string.Join(
        ' ', Read(path).Replace("**", "", StringComparison.Ordinal).Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));

    public static string[] Lines(string path) => File.ReadAllLines(Path.Combine(Root, path));

    /// <summary>Every project by its name.</summary>
    public static IReadOnlyDictionary<string, XDocument> Projects { get; } =
        Files("", ".csproj").ToDictionary(path => Path.GetFileNameWithoutExtension(path), path => XDocument.Parse(Read(path)));

    private static IEnumerable<FileInfo> Below(DirectoryInfo folder) =>
        // In a worktree of git, .git is a file.
        folder.EnumerateFiles().Where(file => file.Name != ".git")
            .Concat(folder.EnumerateDirectories().Where(child => !Made.Contains(child.Name)).SelectMany(Below));
}
