using System.Text.RegularExpressions;
using System.Xml.Linq;
using PubSubOverWs.LoadTest.Harness;

namespace PubSubOverWs.Tests.Repository;

/// <summary>The version and the name of the program, each of which stands in several files.</summary>
public sealed partial class VersionTests
{
    private const string Place = "Directory.Build.props";

    private static readonly string Version = (string)XDocument.Parse(SourceTree.Read(Place)).Descendants("Version").Single();

    [Fact]
    public void The_version_stands_in_one_place_of_the_build_and_is_that_of_the_program()
    {
        Assert.Matches(@"^\d+\.\d+\.\d+(-[\w.]+)?$", Version);
        Assert.Equal(Version, ThisProgram.Version);
        Assert.Equal([Place], SourceTree.Files("", ".csproj", ".props", ".targets").Where(path => XDocument.Parse(SourceTree.Read(path))
            .Descendants().Any(one => one.Name.LocalName is "Version" or "VersionPrefix" or "PackageVersion" or "AssemblyVersion"
                && one.Parent!.Name.LocalName == "PropertyGroup")));
    }

    [Fact]
    public void The_citation_has_the_version() =>
        Assert.Contains($"version: {Version}", SourceTree.Lines("CITATION.cff"));

    [Fact]
    public void The_changelog_begins_with_the_version_or_says_that_it_is_to_be_released()
    {
        var (heading, next) = ChangelogHead().Match(SourceTree.Read("CHANGELOG.md")) is { Success: true } head
            ? (head.Groups["heading"].Value, head.Groups["next"].Value)
            : ("", "");

        Assert.Equal(Version, heading == "Unreleased" ? next : heading);
    }

    [Fact]
    public void The_program_has_one_name_as_a_tool_as_a_package_and_as_the_script_of_a_clone()
    {
        var project = SourceTree.Projects["PubSubOverWs.LoadTest"];

        Assert.Equal(ThisProgram.Name, (string)project.Descendants("ToolCommandName").Single());
        Assert.Equal(ThisProgram.Name, (string)project.Descendants("PackageId").Single());
        Assert.True(File.Exists(Path.Combine(SourceTree.Root, ThisProgram.Name)));
    }

    [Fact]
    public void Only_the_program_is_packed()
    {
        Assert.Equal("false", (string)XDocument.Parse(SourceTree.Read(Place)).Descendants("IsPackable").Single());
        Assert.Equal(
            ["PubSubOverWs.LoadTest"],
            SourceTree.Projects.Where(project => project.Value.Descendants("IsPackable").Any(packed => (string)packed != "false"))
                .Select(project => project.Key));
    }

    // Of a version to come: "## [Unreleased]", and "To be released as 1.2.3." below it.
    [GeneratedRegex(@"^## \[(?<heading>[^\]]+)\].*\n+(?:To be released as (?<next>\S+)\.)?", RegexOptions.Multiline)]
    private static partial Regex ChangelogHead();
}
