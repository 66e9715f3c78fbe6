using System.Text.RegularExpressions;
using PubSubOverWs.LoadTest.Harness.Browser;
using PubSubOverWs.Tests.Repository;

namespace PubSubOverWs.Tests.LoadTest.Harness.Browser;

/// <summary>The files of the page with the clients; what it does is tried under Node.js and in a browser.</summary>
public sealed partial class BrowserPageTests
{
    private const string Folder = "loadtest/PubSubOverWs.LoadTest/Harness/Browser/Html";

    [Fact]
    public void Its_files_are_in_the_program_with_the_STOMP_of_the_servers_own_page()
    {
        var program = typeof(BrowserPage).Assembly;
        using var stomp = new StreamReader(program.GetManifestResourceStream("browser/stomp.js")!);

        Assert.Equal(
            ["browser/load.html", "browser/load.js", "browser/stomp.js", "browser/users.js"],
            program.GetManifestResourceNames().Where(name => name.StartsWith("browser/", StringComparison.Ordinal))
                .Order(StringComparer.Ordinal));
        Assert.Equal(SourceTree.Read("src/PubSubOverWs.Relay/Page/stomp.js"), stomp.ReadToEnd());
    }

    // What its Content-Security-Policy would refuse.
    [Fact]
    public void It_has_no_script_within_and_imports_from_beside_it_only()
    {
        Assert.All(Script().Matches(SourceTree.Read($"{Folder}/load.html")), script => Assert.Empty(script.Groups["within"].Value));
        Assert.All(
            SourceTree.Files(Folder, ".js").SelectMany(file => Import().Matches(SourceTree.Read(file))),
            import => Assert.Matches(@"^\./\w+\.js$", import.Groups["from"].Value));
    }

    [GeneratedRegex("<script[^>]*>(?<within>.*?)</script>", RegexOptions.Singleline)]
    private static partial Regex Script();

    [GeneratedRegex("from \"(?<from>[^\"]+)\"")]
    private static partial Regex Import();
}
