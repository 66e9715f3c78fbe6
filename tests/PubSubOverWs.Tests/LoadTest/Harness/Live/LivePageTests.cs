using System.Text.RegularExpressions;
using PubSubOverWs.LoadTest.Harness.Live;
using PubSubOverWs.Tests.Repository;

namespace PubSubOverWs.Tests.LoadTest.Harness.Live;

/// <summary>The files of the page; how they are served is tried in the end-to-end tests.</summary>
public sealed partial class LivePageTests
{
    private const string Folder = "loadtest/PubSubOverWs.LoadTest/Harness/Live/Html";

    private static readonly string[] Files = [.. Directory.GetFiles(Path.Combine(SourceTree.Root, Folder)).Order(StringComparer.Ordinal)];

    [Fact]
    public void The_page_is_one_page_one_style_and_one_module() =>
        Assert.Equal(["live.css", "live.html", "live.js"], Files.Select(Path.GetFileName));

    [Fact]
    public void Its_files_are_in_the_program_and_together_below_150_KiB()
    {
        var built = typeof(LivePage).Assembly.GetManifestResourceNames().Where(name => name.StartsWith("live/", StringComparison.Ordinal));

        Assert.Equal(Files.Select(file => $"live/{Path.GetFileName(file)}"), built.Order(StringComparer.Ordinal));
        Assert.InRange(Files.Sum(file => new FileInfo(file).Length), 1, 150 << 10);
    }

    // What its Content-Security-Policy would refuse.
    [Fact]
    public void It_has_no_script_and_no_style_within_and_names_nothing_that_is_elsewhere()
    {
        var page = File.ReadAllText(Files.Single(file => file.EndsWith(".html", StringComparison.Ordinal)));

        Assert.DoesNotMatch(Within(), page);
        Assert.All(Files, file => Assert.Empty(Address().Matches(File.ReadAllText(file)).Select(match => match.Value)
            .Except(["http://www.w3.org/1999/xhtml", "http://www.w3.org/2000/svg"])));
    }

    [GeneratedRegex(@"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|javascript:", RegexOptions.IgnoreCase)]
    private static partial Regex Within();

    [GeneratedRegex(@"(?:https?:)?//[a-z][\w.-]*\.\w+[^""'\s)]*", RegexOptions.IgnoreCase)]
    private static partial Regex Address();
}
