using System.CommandLine;
using System.Text.Json;
using PubSubOverWs.Experiment;
using PubSubOverWs.LoadTest.Clients;
using PubSubOverWs.LoadTest.Commands;
using PubSubOverWs.LoadTest.Machine;

namespace PubSubOverWs.LoadTest.Kills;

/// <summary><c>kills</c>: proves that a pubsub server which is killed again and again loses nothing that it had acknowledged.</summary>
public static class KillsCommand
{
    private static readonly KillsPlan Defaults = new();
    private static readonly TimeSpan LeastEvery = TimeSpan.FromSeconds(1);
    private static readonly JsonSerializerOptions Json = new(JsonSerializerDefaults.Web) { WriteIndented = true };

    public static Command Create()
    {
        var messages = Count("--messages", least: 1, $"messages that pass while it is killed; {Defaults.Messages} if left out");
        var kills = Count("--kills", least: 1, $"how often it is killed; {Defaults.Kills} if left out");
        var every = new Option<TimeSpan?>("--every")
        {
            CustomParser = Values.Interval("--every", LeastEvery),
            HelpName = "T",
            Description =
                $"one kill in each period of this length, at a moment that the seed decides; {Defaults.Every.TotalSeconds}s if left out",
        };
        var seed = Count("--seed", least: 0, "decides when each kill comes, and how the clients come back");
        var file = new Option<string?>("--out") { Description = "a file for the figures as JSON" };
        var command = new Command(
            "kills",
            "Prove that a pubsub server which is killed again and again loses nothing that it had acknowledged.")
                { messages, kills, every, seed, file };
        command.SetAction((parsed, stopping) => RunAsync(
            new KillsPlan
            {
                Messages = parsed.GetValue(messages) ?? Defaults.Messages,
                Kills = parsed.GetValue(kills) ?? Defaults.Kills,
                Every = parsed.GetValue(every) ?? Defaults.Every,
                Seed = parsed.GetValue(seed) ?? Defaults.Seed,
                Out = parsed.GetValue(file),
            },
            parsed.InvocationConfiguration.Output, TimeProvider.System, stopping));
        return command;
    }

    private static async Task<int> RunAsync(KillsPlan plan, TextWriter output, TimeProvider time, CancellationToken stopping)
    {
        if (plan.Out is { } file && Path.GetDirectoryName(Path.GetFullPath(file)) is { } folder && !Directory.Exists(folder))
            throw new RefusalException(ExitCode.BadUsage, $"--out '{file}': there is no folder {folder}; make it first.");
        InlineCompletions.Enable();
        using var held = RunLock.Take(Path.GetTempPath(), "kills");
        var started = time.GetUtcNow();
        var figures = await new KillLoop(plan, output, time).RunAsync(stopping) with { Started = started, Commit = BuildInfo.Commit };
        foreach (var line in KillsText.Lines(figures))
            await output.WriteLineAsync(line);
        if (plan.Out is { } path)
            await File.WriteAllTextAsync(path, JsonSerializer.Serialize(figures, Json) + "\n", stopping);
        return (int)(figures.IsProof ? ExitCode.Success : ExitCode.GateFailed);
    }

    private static Option<int?> Count(string name, int least, string description) =>
        new(name) { CustomParser = Values.Count(name, least), HelpName = "N", Description = description };
}
