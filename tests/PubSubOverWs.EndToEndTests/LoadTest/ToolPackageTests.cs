using System.Diagnostics;
using System.IO.Compression;
using System.Reflection;
using System.Text.RegularExpressions;
using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.Record.Files;

namespace PubSubOverWs.EndToEndTests.LoadTest;

/// <summary>The package of the program, made of what these tests were built with, installed from a folder as on a fresh machine.</summary>
[Collection(nameof(Machine))]
public sealed partial class ToolPackageTests : IDisposable
{
    // 9.2 MB are in it, of which 2.4 are the clients of queues once more: the program has them, and the pubsub server in its own folder.
    private const long MaxBytes = 10 << 20;

    private readonly TestFolder _folder = new();

    [FactNeeds(Needed.Linux)]
    [Trait("Category", "Long")]
    public async Task The_package_installs_the_program_with_its_servers_and_it_runs_in_any_folder()
    {
        var feed = Path.Combine(_folder.Path, "feed");
        await DotnetAsync("pack", Project, "--no-build", "--configuration", Configuration, "--output", feed);
        var package = new FileInfo(Assert.Single(Directory.GetFiles(feed)));
        Assert.InRange(package.Length, 1, MaxBytes);
        Assert.Empty(OfOneSystem(package.FullName));

        Assert.Equal(8, FilesOf(package.FullName).Count(file => file.Contains("/schemas/", StringComparison.Ordinal)));

        await InstallAsync(feed);

        var version = await ToolAsync("--version");
        Assert.Matches($@"^PubSubOverWs {Regex.Escape(VersionIn(package.Name))}, commit ", version.Output);
        Assert.Contains($"  {ThisProgram.Name} [command] [options]", (await ToolAsync("--help")).Output);
        var wrong = await ToolAsync("run", "smoke", "--user", "5");
        Assert.Equal((5, ""), (wrong.ExitCode, wrong.Output));
        Assert.Contains($" {ThisProgram.Name} run --help lists its options.", wrong.Error);
        Assert.Equal(["smoke"], await CompletedByBashAsync($"{ThisProgram.Name} run sm"));

        var run = await ToolAsync("run", "smoke", "--plain");
        Assert.True(run.ExitCode == 0, run.Output + run.Error);
        var record = RecordReader.Read(Assert.Single(Directory.GetDirectories(Path.Combine(_folder.Path, "results", "smoke"))));
        Assert.True(record.Run.Complete);
        Assert.All(record.Rows, row => Assert.Equal(row.Users, row.Buckets.Delivered));

        await WorkflowAsync();
    }

    // What init writes into a repository of the user's own: its steps as a machine that has nothing but the SDK runs them.
    private async Task WorkflowAsync()
    {
        var written = await ToolAsync("init", "mine");
        Assert.True(written.ExitCode == 0, written.Output + written.Error);
        var text = await File.ReadAllTextAsync(Path.Combine(_folder.Path, ".github", "workflows", "mine.yml"));
        var steps = RunStep().Matches(text).Select(step => Spaces().Replace(step.Groups["command"].Value, " ")).ToArray();
        Directory.Delete(Tools, recursive: true);

        var result = await ExecuteAsync(
            "bash", "-c",
            $"export RUNNER_TEMP='{_folder.Path}/runner' SOURCE='{Source().Match(text).Groups[1].Value}' && {string.Join(" && ", steps)}");

        Assert.True(result.ExitCode == 0, result.Output + result.Error);
        Assert.Equal(2, steps.Length);
        Assert.True(RecordReader.Read(Path.Combine(_folder.Path, "runner", "mine")).Run.Complete);
        Assert.True(File.Exists(Path.Combine(_folder.Path, "runner", "mine.xml")));
    }

    public void Dispose() => _folder.Dispose();

    private static string Project { get; } = typeof(ToolPackageTests).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>()
        .Single(attribute => attribute.Key == "LoadTestProject").Value!;

    private static string Configuration { get; } =
        typeof(ToolPackageTests).Assembly.GetCustomAttribute<AssemblyConfigurationAttribute>()!.Configuration;

    private string Tools => Path.Combine(_folder.Path, "tools");

    private static string[] FilesOf(string package)
    {
        using var files = ZipFile.OpenRead(package);
        return [.. files.Entries.Select(file => file.FullName)];
    }

    /// <summary>Files that only the system that made them can start, and those that only compilers read.</summary>
    private static IEnumerable<string> OfOneSystem(string package) => FilesOf(package)
        .Where(name => name.StartsWith("tools/", StringComparison.Ordinal) && name.EndsWith(".xml", StringComparison.Ordinal)
            && !name.EndsWith("/DotnetToolSettings.xml", StringComparison.Ordinal) || Program().IsMatch(name));

    private static string VersionIn(string package) => package[(ThisProgram.Name.Length + 1)..^".nupkg".Length];

    // No source but the folder: the package needs no other.
    private async Task InstallAsync(string feed)
    {
        var settings = Path.Combine(_folder.Path, "nuget.config");
        await File.WriteAllTextAsync(
            settings, $"<configuration><packageSources><clear /><add key=\"feed\" value=\"{feed}\" /></packageSources></configuration>");
        await DotnetAsync("tool", "install", ThisProgram.Name, "--tool-path", Tools, "--configfile", settings);
    }

    private async Task<string[]> CompletedByBashAsync(string line)
    {
        var page = await File.ReadAllTextAsync(Path.Combine(AppContext.BaseDirectory, "command.md"));
        var script = BashBlock().Match(page).Groups["code"].Value;
        var words = line.Split(' ');
        var completed = await ExecuteAsync(
            "bash", "-c",
            $"{script}\nCOMP_LINE='{line}' COMP_POINT={line.Length} COMP_WORDS=({line}) COMP_CWORD={words.Length - 1}\n"
                + "_pubsub_over_ws\nprintf '%s\\n' \"${COMPREPLY[@]}\"");
        return completed.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries);
    }

    private Task<ProgramResult> ToolAsync(params string[] arguments) => ExecuteAsync(Path.Combine(Tools, ThisProgram.Name), arguments);

    private async Task DotnetAsync(params string[] arguments)
    {
        var result = await ExecuteAsync(DotnetHost.Path, arguments);
        Assert.True(result.ExitCode == 0, result.Output + result.Error);
    }

    private async Task<ProgramResult> ExecuteAsync(string program, params string[] arguments)
    {
        var start = new ProcessStartInfo(program, arguments)
        { WorkingDirectory = _folder.Path, RedirectStandardOutput = true, RedirectStandardError = true };
        // The lock of a run, and what a first use of the SDK writes, are in the folder, too.
        start.Environment["TMPDIR"] = start.Environment["DOTNET_CLI_HOME"] = _folder.Path;
        start.Environment["DOTNET_NOLOGO"] = start.Environment["DOTNET_CLI_TELEMETRY_OPTOUT"] = "1";
        // No process of a build stays behind.
        start.Environment["MSBUILDDISABLENODEREUSE"] = "1";
        start.Environment["PATH"] = $"{Tools}:{start.Environment["PATH"]}";
        using var process = Process.Start(start)!;
        var (output, error) = (process.StandardOutput.ReadToEndAsync(), process.StandardError.ReadToEndAsync());
        await process.WaitForExitAsync();
        return new ProgramResult(process.ExitCode, await output, await error);
    }

    [GeneratedRegex(@"/PubSubOverWs\.\w+(\.exe)?$")]
    private static partial Regex Program();

    [GeneratedRegex(@"- run: >-\n(?<command>(?: {10}.+\n)+)")]
    private static partial Regex RunStep();

    [GeneratedRegex(@"\s+")]
    private static partial Regex Spaces();

    [GeneratedRegex(@"SOURCE: (\S+)")]
    private static partial Regex Source();

    [GeneratedRegex("```bash\n(?<code>_pubsub_over_ws.*?)```", RegexOptions.Singleline)]
    private static partial Regex BashBlock();
}
