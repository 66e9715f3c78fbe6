using System.Globalization;

namespace PubSubOverWs.Tests.Fuzz;

/// <summary>The long run: every target, or one, from a seed.</summary>
public sealed record FuzzCommand
{
    private const int Found = 2;
    private const int BadUsage = 5;

    // The framework's pools give back unused memory after ten seconds.
    private static readonly TimeSpan Rest = TimeSpan.FromSeconds(12);

    private const string Usage =
        "Write [--target reader|session|framing|lean-framing|handshake|localsqs|answers] [--seed N] [--frames N] [--connections N] "
            + "[--requests N] [--step N].";

    /// <summary>Null: all of them.</summary>
    public string? Target { get; init; }

    public ulong Seed { get; init; } = 1;

    /// <summary>STOMP frames for the reader and as many for sessions, and as many WebSocket frames for each front end.</summary>
    public long Frames { get; init; } = 100_000;

    /// <summary>With handshakes of all kinds.</summary>
    public long Connections { get; init; } = 10_000;

    /// <summary>To LocalSqs, and as many calls of our client.</summary>
    public long Requests { get; init; } = 10_000;

    /// <summary>Only this step, to repeat what it found; null: all.</summary>
    public long? Step { get; init; }

    /// <returns>0: nothing found; 2: something was, and it is said which; 5: the words cannot be understood.</returns>
    public static async Task<int> RunAsync(string[] args, TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(output);
        if (Parse(args) is { } command)
            return await command.RunAsync(output);
        await output.WriteLineAsync(Usage);
        return BadUsage;
    }

    /// <returns>Null: the words cannot be understood.</returns>
    internal static FuzzCommand? Parse(string[] args)
    {
        var command = new FuzzCommand();
        foreach (var pair in args.Chunk(2))
        {
            long number = 0;
            var isNumber = pair.Length == 2 && long.TryParse(pair[1], NumberStyles.None, CultureInfo.InvariantCulture, out number);
            var next = pair[0] switch
            {
                "--target" when pair.Length == 2 && FuzzTargets.Names.Contains(pair[1]) => command with { Target = pair[1] },
                "--seed" when isNumber => command with { Seed = (ulong)number },
                "--frames" when isNumber => command with { Frames = number },
                "--connections" when isNumber => command with { Connections = number },
                "--requests" when isNumber => command with { Requests = number },
                "--step" when isNumber => command with { Step = number },
                _ => null,
            };
            if (next is null)
                return null;
            command = next;
        }
        return command.Step is null || command.Target is not null ? command : null;
    }

    private async Task<int> RunAsync(TextWriter output)
    {
        var result = 0;
        foreach (var name in FuzzTargets.Names.Where(name => Target is null || Target == name))
        {
            await using var target = await FuzzTargets.CreateAsync(name);
            try
            {
                result = Math.Max(result, await RunAsync(target, output));
            }
            catch (FuzzFailureException failure)
            {
                await output.WriteLineAsync($"{failure.Message}\n{failure.InnerException}");
                result = Found;
            }
        }
        return result;
    }

    private async Task<int> RunAsync(IFuzzTarget target, TextWriter output)
    {
        if (Step is { } step)
        {
            await FuzzRun.StepAsync(target, Seed, step);
            await output.WriteLineAsync($"{target.Name}, seed {Seed}, step {step}: nothing found.");
            return 0;
        }
        var figures = await FuzzRun.RunAsync(target, Seed, target.Unit switch
        {
            FuzzTargets.Frames => Frames,
            FuzzTargets.Connections => Connections,
            _ => Requests,
        }, () => LiveBytes.ReadAsync(Rest));
        await output.WriteLineAsync($"{figures}{(figures.Leaks ? $": a leak, more than {FuzzFigures.MaxGrowth:0%}" : "")}");
        return figures.Leaks ? Found : 0;
    }
}
