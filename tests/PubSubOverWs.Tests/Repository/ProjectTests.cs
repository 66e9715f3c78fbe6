using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using PubSubOverWs.LoadTest.Commands;
using PubSubOverWs.Record.Files;

namespace PubSubOverWs.Tests.Repository;

public sealed partial class ProjectTests
{
    private const string Versions = "Directory.Packages.props";

    private static readonly string[] Known =
        ["System.Net.Sockets.Socket", "System.Diagnostics.Process", "System.Diagnostics.Stopwatch", "System.TimeProvider"];

    /// <summary>The table of <c>docs/architecture.md</c>: a project, and what it may reference.</summary>
    public static TheoryData<string, string[]> References
    {
        get
        {
            var rows = new TheoryData<string, string[]>();
            foreach (var row in SourceTree.Lines("docs/architecture.md").SkipWhile(line => line != "## Projects")
                .TakeWhile(line => line != "## Folders").Select(line => TableRow().Match(line)).Where(row => row.Success))
            {
                var references = row.Groups["references"].Value.Split([' ', ','], StringSplitOptions.RemoveEmptyEntries);
                rows.Add(row.Groups["project"].Value, references);
            }

            return rows;
        }
    }

    [Theory]
    [MemberData(nameof(References))]
    public void A_project_references_exactly_the_projects_that_the_architecture_allows(string project, string[] allowed) =>
        Assert.Equal(allowed.Order(), Referenced(project, forBuildOrder: false));

    [Fact]
    public void Only_the_load_runner_asks_for_a_build_order_which_is_that_of_the_servers_it_starts() => Assert.Equal(
        ["LoadTest: DirectServer, LocalSqs, PubSubServer"],
        References.Select(row => $"{row[0]}: {string.Join(", ", Referenced((string)row[0], forBuildOrder: true))}")
            .Where(line => !line.EndsWith(": ", StringComparison.Ordinal)));

    // Processes that one runner starts must read its words alike, and run out of descriptors alike; the embedded queue must not bring the
    // SDK of its clients. All else that two projects share is a reference.
    [Fact]
    public void Only_these_files_are_compiled_into_two_projects() => Assert.Equal(
        [
            "LoadTest: ChildMode", "LoadTest: Loopback", "LoadTest: SecretText",
            "LocalSqs: ChildMode", "LocalSqs: Descriptors", "LocalSqs: JsonReading", "LocalSqs: Loopback", "LocalSqs: PooledBytes",
            "LocalSqs: PortListener", "LocalSqs: ServerArguments", "LocalSqs: ServerSettings",
            "LocalSqs: SettingsCheck",
        ],
        from project in References.Select(row => (string)row[0])
        from file in SourceTree.Projects[$"PubSubOverWs.{project}"].Descendants("Compile")
        let name = $"{project}: {Path.GetFileNameWithoutExtension((string)file.Attribute("Include")!)}"
        orderby name
        select name);

    [Fact]
    public void Every_product_project_and_the_contract_of_SQS_are_in_the_table_of_the_architecture() => Assert.Equal(
        SourceTree.Projects.Keys.Where(name => !name.Contains("Test", StringComparison.Ordinal) || name == "PubSubOverWs.LoadTest")
            .Except(["PubSubOverWs.Benchmarks", "PubSubOverWs.Fuzz"]).Order(),
        References.Select(row => $"PubSubOverWs.{row[0]}").Order());

    [Theory]
    [InlineData("Redis", "StackExchange.Redis")]
    [InlineData("Nats", "NATS.")]
    [InlineData("RabbitMq", "RabbitMQ.")]
    public void The_client_of_a_queue_is_known_in_its_folder_alone(string folder, string client)
    {
        var users = SourceTree.Files("src", ".cs")
            .Where(path => SourceTree.Lines(path).Any(line => line.StartsWith($"using {client}", StringComparison.Ordinal)));

        Assert.All(users, path => Assert.StartsWith($"src/PubSubOverWs.Queues/{folder}/", path));
        Assert.NotEmpty(users);
    }

    [Fact]
    public void The_solution_contains_every_project()
    {
        var solution = SourceTree.Read("PubSubOverWs.sln").Replace('\\', '/');

        Assert.All(SourceTree.Files("", ".csproj"), path => Assert.Contains($"\"{path}\"", solution));
    }

    [Fact]
    public void Package_versions_stand_in_one_place_and_each_once()
    {
        var elsewhere = SourceTree.Files("", ".csproj", ".props", ".targets").Where(path => path != Versions)
            .SelectMany(path => XDocument.Parse(SourceTree.Read(path)).Descendants())
            .Where(one => one.Name.LocalName is "PackageReference" or "GlobalPackageReference" or "PackageVersion" && HasVersion(one));
        var central = XDocument.Parse(SourceTree.Read(Versions)).Descendants().Where(HasVersion)
            .Select(package => (string)package.Attribute("Include")!).ToArray();

        Assert.Empty(elsewhere);
        Assert.NotEmpty(central);
        Assert.Equal(central.Distinct(), central);
    }

    [Fact]
    public void Every_central_version_is_used()
    {
        var central = XDocument.Parse(SourceTree.Read(Versions)).Descendants("PackageVersion")
            .Select(package => (string)package.Attribute("Include")!);
        var used = SourceTree.Projects.Values.SelectMany(project => project.Descendants("PackageReference"))
            .Select(package => (string)package.Attribute("Include")!);

        Assert.Equal(central.Order(StringComparer.Ordinal), used.Distinct().Order(StringComparer.Ordinal));
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
    public void Report_knows_no_server_no_socket_and_no_clock()
    {
        Assert.Empty(SourceTree.Projects["PubSubOverWs.Report"].Descendants("FrameworkReference"));
        Assert.Empty(Outside(typeof(RunRecord).Assembly));
        // The load runner has all of these, so they would be found.
        var found = Outside(typeof(CommandLine).Assembly);
        Assert.All(Known, name => Assert.Contains(name, found));
    }

    /// <summary>The outside APIs that an assembly uses, from its metadata: its text may name others that it does not use.</summary>
    private static IEnumerable<string> Outside(Assembly assembly)
    {
        using var file = new PEReader(File.OpenRead(assembly.Location));
        var reader = file.GetMetadataReader();
        string Name(TypeReference type) => $"{reader.GetString(type.Namespace)}.{reader.GetString(type.Name)}";
        var types = reader.TypeReferences.Select(handle => Name(reader.GetTypeReference(handle)));
        var members = reader.MemberReferences.Select(reader.GetMemberReference)
            .Where(member => member.Parent.Kind == HandleKind.TypeReference)
            .Select(member => $"{Name(reader.GetTypeReference((TypeReferenceHandle)member.Parent))}.{reader.GetString(member.Name)}");
        return [.. types.Concat(members).Where(name => OutsideWorld().IsMatch(name)).Distinct()];
    }

    private static IOrderedEnumerable<string> Referenced(string project, bool forBuildOrder) =>
        SourceTree.Projects[$"PubSubOverWs.{project}"].Descendants("ProjectReference")
            .Where(reference => (string?)reference.Attribute("ReferenceOutputAssembly") == "false" == forBuildOrder)
            .Select(reference => Path.GetFileNameWithoutExtension((string)reference.Attribute("Include")!)["PubSubOverWs.".Length..])
            .Order();

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

    [GeneratedRegex(@"^\| `(?<project>\w+)`[^|]*\|[^|]*\| ?(?<references>[\w, ]*)\|$")]
    private static partial Regex TableRow();

    [GeneratedRegex(@"^(Microsoft\.AspNetCore\.|Microsoft\.Extensions\.Hosting\.|System\.Net\."
        + @"|System\.(Diagnostics\.(Process|Stopwatch)|TimeProvider|Threading\.(Timer|PeriodicTimer|Thread))$"
        + @"|System\.(DateTime|DateTimeOffset)\.get_(Now|UtcNow|Today)$|System\.Environment\.get_TickCount"
        + @"|System\.Threading\.Tasks\.Task\.Delay$)")]
    private static partial Regex OutsideWorld();
}
