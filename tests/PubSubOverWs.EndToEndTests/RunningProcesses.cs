using System.Globalization;

namespace PubSubOverWs.EndToEndTests;

/// <summary>Every running process, as Linux reports it.</summary>
internal static class RunningProcesses
{
    /// <param name="file">Below <c>/proc/ID</c>, such as <c>stat</c>.</param>
    /// <returns>Its text, of each process of which it can be read.</returns>
    public static IEnumerable<string> Read(string file) => Directory.EnumerateDirectories("/proc")
        .Where(folder => int.TryParse(Path.GetFileName(folder), NumberStyles.None, CultureInfo.InvariantCulture, out _))
        .Select(folder => TextOf(Path.Combine(folder, file)))
        .Where(text => text.Length > 0);

    private static string TextOf(string path)
    {
        try
        {
            return File.ReadAllText(path);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return ""; // It ended meanwhile, or is another user's.
        }
    }
}
