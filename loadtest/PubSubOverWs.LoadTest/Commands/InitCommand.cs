using System.CommandLine;
using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Runs;
using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary><c>init NAME</c>: a scenario to change, with its schema and a workflow that runs it.</summary>
public static class InitCommand
{
    private const string Schema = "scenario.schema.json";

    public static Command Create(Terminal terminal)
    {
        var name = new Argument<string>("NAME") { Description = "name of the scenario: letters, digits, '-' and '_'" };
        var output = new Option<string>("--out")
        { DefaultValueFactory = _ => ".", Description = "folder for the files; default: the working folder", HelpName = "DIR" };
        var command = new Command(
            "init", "Write NAME.json, a commented scenario with gates, its schema, and a workflow for GitHub Actions that runs it.")
            { name, output };
        command.SetAction(async (parsed, _) =>
            (int)await WriteAsync(parsed.GetRequiredValue(name), parsed.GetRequiredValue(output), terminal));
        return command;
    }

    private static async Task<ExitCode> WriteAsync(string name, string output, Terminal terminal)
    {
        RefusalException.ThrowUnless(
            name.Length is > 0 and <= 60 && name.All(letter => char.IsAsciiLetterOrDigit(letter) || letter is '-' or '_'),
            $"'{name}' cannot name a scenario: use up to 60 letters, digits, '-' and '_'.");
        RefusalException.ThrowUnless(
            !ScenarioFiles.Names.Contains(name), $"'{name}' is a scenario of {ThisProgram.Name} itself: choose a name of your own.");
        var schema = await File.ReadAllTextAsync(Path.Combine(AppContext.BaseDirectory, Schema));
        var workflow = InitWorkflow.For(output);
        (string Path, string Text)[] files =
        [
            (Path.Combine(output, $"{name}.json"), Scenario(name)),
            (Path.Combine(output, ".github", "workflows", $"{name}.yml"), workflow.Text(name)),
            // That of another scenario is the same.
            (Path.Combine(output, Schema), schema),
        ];
        if (files.SkipLast(1).FirstOrDefault(file => Path.Exists(file.Path)) is { Path: { } taken })
            throw new RefusalException($"{taken} is there already, and is not replaced: choose another name, or remove it.");
        try
        {
            foreach (var (path, text) in files)
            {
                Directory.CreateDirectory(Path.GetDirectoryName(Path.GetFullPath(path))!);
                await File.WriteAllTextAsync(path, text);
                await terminal.WriteAsync("written", path);
            }
            if (workflow.Package(output) is { } package)
                await AddAsync(package, terminal);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new RefusalException($"The scenario cannot be written here ({error.Message.TrimEnd('.')}): use another folder.", error);
        }
        await terminal.WriteAsync(
            "next", $"{ThisProgram.Name} run {files[0].Path} --dry-run   (what it would do, and how long that takes)");
        return ExitCode.Success;
    }

    // The workflow installs it: the program itself, as it was installed here.
    private static async Task AddAsync(string package, Terminal terminal)
    {
        if (File.Exists(package))
            return;
        if (InitWorkflow.InstalledPackage is not { } installed)
        {
            await terminal.WriteAsync(
                "missing", $"{package}, which the workflow installs: dotnet pack makes it in a clone of {ThisProgram.Name}");
            return;
        }
        Directory.CreateDirectory(Path.GetDirectoryName(Path.GetFullPath(package))!);
        File.Copy(installed, package);
        await terminal.WriteAsync("written", $"{package}   (for the workflow; git add --force, if git ignores packages)");
    }

    private static string Scenario(string name) => $$"""
        {
          "$schema": "./{{Schema}}",
          // Names the folder of its records: results/{{name}}/TIME.
          "name": "{{name}}",
          // What is compared: each arm runs on a server of its own, one after the other.
          "arms": ["{{DirectTarget.Kind}}", "{{PubSubTarget.Kind}}"],
          // The levels: so many users, each with a connection, send a message to themselves.
          "users": [50, 500],
          // "burst": all at once. "spread:2s": evenly over two seconds.
          "arrival": "burst",
          // Measured iterations of each arm and level, dealt over blocks with servers of their own. A verdict needs 20 in 5.
          "iterations": 20,
          "blocks": 5,
          // Later messages are late, which counts as lost.
          "deadline": "10s",
          // Bytes of a message.
          "payloadBytes": 100,
          // True: servers confirm what they take, and "guarantee-loss" is defined.
          "receipts": false,
          // Conditions for exit code 0. With "warn:" before it one is told and changes nothing.
          "gates": [
            "{{DirectTarget.Kind}}.loss == 0",
            "{{PubSubTarget.Kind}}.loss == 0",
            "warn: {{PubSubTarget.Kind}}.latency.mean / {{DirectTarget.Kind}}.latency.mean < 20"
          ],
          // What --quick changes.
          "quick": { "users": [50], "iterations": 3, "blocks": 1 }
        }

        """;
}
