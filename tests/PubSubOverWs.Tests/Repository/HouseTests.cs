using System.Reflection;
using System.Text.RegularExpressions;
using PubSubOverWs.LoadTest.Experiments;
using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Workloads;
using PubSubOverWs.Record.Scenarios;

namespace PubSubOverWs.Tests.Repository;

/// <summary>
/// What the compiler cannot hold of the layout in docs/architecture.md. A namespace is that of its folder, so that a line that begins with
/// <c>using</c> tells which folder uses which.
/// </summary>
public sealed partial class HouseTests
{
    private const string Report = "loadtest/PubSubOverWs.Report/", Program = "loadtest/PubSubOverWs.LoadTest/";

    private const BindingFlags AnyInstance = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;

    private static readonly Type[] Api = [typeof(Experiment), typeof(Scenario)];

    private static readonly string[] Experiments = [.. Directory.EnumerateDirectories(Path.Combine(SourceTree.Root, Program, "Experiments"))
        .Select(path => Path.GetFileName(path)).Order(StringComparer.Ordinal)];

    [Fact]
    public void Namespaces_equal_folders() => Assert.All(
        SourceTree.Files("loadtest", ".cs").Select(path => (Path: path, Declared: Namespace().Match(SourceTree.Read(path))))
            .Where(file => file.Declared.Success),
        file => Assert.Equal(
            Path.GetDirectoryName(file.Path)!.Replace('\\', '/').Replace("loadtest/PubSubOverWs.Report", "PubSubOverWs")
                .Replace("loadtest/", "").Replace('/', '.'),
            file.Declared.Groups["name"].Value));

    [Fact]
    public void Records_do_not_know_reports() => Names("Report", [Report + "Record"], @"\bPubSubOverWs\.Report\b");

    [Fact]
    public void The_harness_does_not_know_the_commands() => Names("Commands", [Program + "Harness"], @"\bLoadTest\.Commands\b");

    [Fact]
    public void Records_reports_and_the_harness_name_no_experiment()
    {
        Assert.True(Experiments.Length > 5);
        Names(
            "an experiment", [Report + "Record", Report + "Report", Program + "Harness"],
            $@"\bLoadTest\.Experiments\b|\b({string.Join('|', Experiments)})(Scenario|Experiment|Analysis|Load|Arms|Plan)\b");
    }

    [Fact]
    public void Experiments_do_not_know_each_other() => Assert.All(Experiments, experiment => Names(
        "another experiment", [$"{Program}Experiments/{experiment}"],
        $@"\bExperiments\.({string.Join('|', Experiments.Where(other => other != experiment))})\b"));

    /// <summary>The load of an experiment is in its folder Load; all else of it can be used without a run.</summary>
    [Fact]
    public void The_analysis_of_an_experiment_uses_records_and_reports_only() => Assert.All(
        Experiments.SelectMany(experiment => SourceTree.Files($"{Program}Experiments/{experiment}", ".cs"))
            .Where(path => !path.Contains("/Load/", StringComparison.Ordinal)),
        path => Assert.False(
            Regex.IsMatch(SourceTree.Read(path), @"\bLoadTest\.(Harness|Commands)\b|\.Load(\.\w+)*;"), $"{path} uses more than records."));

    /// <summary>An experiment, its scenario, and the load that it gives: what none can leave out.</summary>
    [Fact]
    public void An_experiment_must_implement_few_members() => Assert.InRange(
        Api.Concat([typeof(ILoad), typeof(IClientLoad)]).Sum(type => Members(type).Count(one => one.IsAbstract)), 10, 25);

    [Fact]
    public void What_only_some_experiments_need_is_one_of_few_interfaces()
    {
        var concrete = typeof(ExperimentList).Assembly.GetTypes().Where(type => !type.IsAbstract && Api.Any(type.IsSubclassOf));
        Type[] capabilities = [.. concrete.SelectMany(type => type.GetInterfaces()).Distinct().Where(IsOurs)];

        Assert.InRange(capabilities.Length, 5, 8);

        static bool IsOurs(Type type) => type.Namespace!.StartsWith("PubSubOverWs", StringComparison.Ordinal);
    }

    [Fact]
    public void What_an_experiment_can_override_is_overridden_by_several() => Assert.All(
        Api.SelectMany(type => Members(type).Where(one => one is { IsAbstract: false, IsVirtual: true })),
        member => Assert.True(
            typeof(ExperimentList).Assembly.GetTypes().Count(type => !type.IsAbstract
                && type.GetMethod(member.Name, AnyInstance, [.. member.GetParameters().Select(one => one.ParameterType)]) is { } own
                && own.GetBaseDefinition() == member && own.DeclaringType != member.DeclaringType) > 1,
            $"{member.DeclaringType!.Name}.{member.Name} is overridden by one experiment or none: make it an interface for that one."));

    // Without what every record has, and without the setters of properties.
    private static IEnumerable<MethodInfo> Members(Type type) => type.GetMethods(AnyInstance | BindingFlags.DeclaredOnly).Where(one =>
        one.IsVirtual && one.GetBaseDefinition() == one && !one.Name.StartsWith("set_", StringComparison.Ordinal)
            && one.Name is not ("get_EqualityContract" or "PrintMembers" or "Equals" or "<Clone>$"));

    private static void Names(string what, string[] folders, string pattern) => Assert.All(
        folders.SelectMany(folder => SourceTree.Files(folder, ".cs")),
        path => Assert.False(
            Regex.IsMatch(Comment().Replace(SourceTree.Read(path), ""), pattern),
            $"{path} names {what}: {Regex.Match(SourceTree.Read(path), pattern).Value}"));

    [GeneratedRegex("^namespace (?<name>[^;]+);", RegexOptions.Multiline)]
    private static partial Regex Namespace();

    [GeneratedRegex(@"^\s*//.*$", RegexOptions.Multiline)]
    private static partial Regex Comment();
}
