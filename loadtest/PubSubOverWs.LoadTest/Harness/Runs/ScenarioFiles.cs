using PubSubOverWs.Report.Gates;

namespace PubSubOverWs.LoadTest.Harness.Runs;

/// <summary>Finds scenarios: by name beside the program, or by path.</summary>
public static class ScenarioFiles
{
    private static string Folder => Path.Combine(AppContext.BaseDirectory, "scenarios");

    public static IEnumerable<string> Names => Directory.Exists(Folder)
        ? Directory.EnumerateFiles(Folder, "*.json").Select(path => Path.GetFileNameWithoutExtension(path)).Order(StringComparer.Ordinal)
        : [];

    /// <param name="nameOrPath">A name such as <c>paper</c>, or a path that ends with .json.</param>
    /// <exception cref="RefusalException">There is no such scenario.</exception>
    /// <exception cref="ScenarioException">The file is not a valid scenario.</exception>
    public static Scenario Load(string nameOrPath)
    {
        var isPath = nameOrPath.EndsWith(".json", StringComparison.OrdinalIgnoreCase);
        var path = isPath ? nameOrPath : Path.Combine(Folder, nameOrPath + ".json");
        if (File.Exists(path))
            return Read(path);
        throw new RefusalException(isPath
            ? $"There is no scenario file {nameOrPath}: check the path."
            : File.Exists(nameOrPath + ".json") ? $"There is no scenario '{nameOrPath}': the file is {nameOrPath}.json."
            : $"There is no scenario '{nameOrPath}'{Spelling.DidYouMean(nameOrPath, Names)} Known: {string.Join(", ", Names)}; or give the "
                + "path of a .json file.");
    }

    private static Scenario Read(string path)
    {
        var scenario = ScenarioJson.Parse(File.ReadAllText(path), path);
        try
        {
            Gate.From(scenario);
        }
        catch (GateException e)
        {
            throw new ScenarioException($"{path}: {e.Message}", e);
        }

        return scenario;
    }
}
