using PubSubOverWs.Report.Standard;

namespace PubSubOverWs.Tests;

/// <summary>Texts that were read by a person, and are held byte for byte.</summary>
internal static class Golden
{
    /// <param name="name">Of the file beside the tests, such as <c>report.golden.html</c>.</param>
    /// <param name="files">What was made.</param>
    public static void Same(string name, ReportFiles files) =>
        Same(name, files.Named.Single(file => Path.GetExtension(file.Name) == Path.GetExtension(name)).Text);

    /// <param name="name">Likewise.</param>
    /// <param name="made">The text as it is now.</param>
    public static void Same(string name, string made)
    {
        using var golden = typeof(Golden).Assembly.GetManifestResourceStream($"golden/{name}");
        if (golden is not null && made == new StreamReader(golden).ReadToEnd())
            return;
        var actual = Path.Combine(AppContext.BaseDirectory, name);
        File.WriteAllText(actual, made);
        Assert.Fail($"{actual} differs from the golden file beside this test: read it, and copy it there if it is right.");
    }
}
