using System.Xml.Linq;

namespace PubSubOverWs.Tests.Repository;

public sealed class ProjectTests
{
    public static TheoryData<string, string[]> References => new()
    {
        { "Stomp", [] },
        { "Sqs", [] },
        { "LocalSqs", [] },
        { "Experiment", [] },
        { "Relay", ["Stomp"] },
        { "DirectServer", ["Relay"] },
        { "PubSubServer", ["Relay", "Sqs"] },
        { "LoadTest", ["Experiment", "Sqs", "Stomp"] },
        { "SqsContract", ["Sqs"] },
    };

    [Theory]
    [MemberData(nameof(References))]
    public void A_project_references_what_the_architecture_allows_and_no_more(string project, string[] allowed)
    {
        var references = SourceTree.Projects[$"PubSubOverWs.{project}"].Descendants("ProjectReference")
            .Where(reference => (string?)reference.Attribute("ReferenceOutputAssembly") != "false")
            .Select(reference => Path.GetFileNameWithoutExtension((string)reference.Attribute("Include")!)["PubSubOverWs.".Length..]);

        Assert.Equal(allowed, references.Order());
    }

    [Fact]
    public void Every_product_project_and_the_contract_of_SQS_have_their_references_checked() =>
        Assert.Equal(
            SourceTree.Files("src", ".csproj").Concat(SourceTree.Files("loadtest", ".csproj")).Concat(
                SourceTree.Files("tests/PubSubOverWs.SqsContract", ".csproj"))
                .Select(Path.GetFileNameWithoutExtension).Order(),
            References.Select(row => $"PubSubOverWs.{row[0]}").Order());

    [Fact]
    public void The_solution_contains_every_project()
    {
        var solution = SourceTree.Read("PubSubOverWs.sln").Replace('\\', '/');

        Assert.All(SourceTree.Files("", ".csproj"), path => Assert.Contains($"\"{path}\"", solution));
    }

    [Fact]
    public void Package_versions_stand_in_one_place()
    {
        var packages = SourceTree.Projects.Values.SelectMany(project => project.Descendants("PackageReference"));

        Assert.DoesNotContain(packages, package => HasVersion(package));
    }

    [Fact]
    public void Every_central_version_is_used_or_pins_what_a_used_package_needs()
    {
        var groups = XDocument.Parse(SourceTree.Read("Directory.Packages.props")).Descendants("ItemGroup");
        var central = groups.Where(group => ((string?)group.Attribute("Label"))?.StartsWith("Transitive pins") != true)
            .Descendants("PackageVersion").Select(package => (string)package.Attribute("Include")!);
        var used = SourceTree.Projects.Values.SelectMany(project => project.Descendants("PackageReference"))
            .Select(package => (string)package.Attribute("Include")!).ToHashSet();

        Assert.All(central, package => Assert.Contains(package, used));
    }

    [Fact]
    public void The_programs_of_the_two_servers_differ_in_at_most_five_lines()
    {
        var direct = SourceTree.Lines("src/PubSubOverWs.DirectServer/Program.cs");
        var pubsub = SourceTree.Lines("src/PubSubOverWs.PubSubServer/Program.cs");
        var shared = LongestCommonSubsequence(direct, pubsub);

        Assert.InRange(direct.Length + pubsub.Length - 2 * shared, 1, 5);
    }

    [Fact]
    public void Experiment_knows_no_server_no_socket_and_no_clock()
    {
        string[] foreign = ["Microsoft.AspNetCore", "System.Net", "System.Diagnostics.Process", "Stopwatch", "TimeProvider"];

        Assert.Empty(SourceTree.Projects["PubSubOverWs.Experiment"].Descendants("FrameworkReference"));
        Assert.All(
            SourceTree.Files("src/PubSubOverWs.Experiment", ".cs"),
            path => Assert.DoesNotContain(foreign, name => SourceTree.Read(path).Contains(name, StringComparison.Ordinal)));
    }

    private static bool HasVersion(XElement package) =>
        package.Attributes().Any(attribute => attribute.Name.LocalName is "Version" or "VersionOverride")
            || package.Element("Version") is not null;

    private static int LongestCommonSubsequence(string[] a, string[] b)
    {
        var length = new int[a.Length + 1, b.Length + 1];
        for (var i = 1; i <= a.Length; i++)
        {
            for (var j = 1; j <= b.Length; j++)
                length[i, j] = a[i - 1] == b[j - 1] ? length[i - 1, j - 1] + 1 : Math.Max(length[i - 1, j], length[i, j - 1]);
        }

        return length[a.Length, b.Length];
    }
}
