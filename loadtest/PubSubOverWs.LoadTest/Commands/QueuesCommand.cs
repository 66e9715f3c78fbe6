using System.CommandLine;
using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Machine;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.Queues;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary><c>queues list</c> and <c>queues clean</c>: queues that killed runs left on a server; those of LocalSqs end with it.</summary>
public static class QueuesCommand
{
    public static Command Create(Terminal terminal) => new("queues", "List and delete queues that earlier runs left behind.")
    {
        Listing(terminal),
        Cleaning(terminal),
    };

    private static Command Listing(Terminal terminal)
    {
        var command = new Command("list", "List the queues of runs, with age, messages and the topics that feed them.");
        var queue = AddQueue(command);
        command.SetAction((parsed, stopping) => OnAsync(queue, parsed, terminal, async leftovers =>
        {
            var found = await leftovers.FindAsync(stopping);
            foreach (var one in found)
                await terminal.Output.WriteLineAsync(Line(one));
            await terminal.Output.WriteLineAsync(Invariant($"{found.Count} queues of runs."));
            return ExitCode.Success;
        }));
        return command;
    }

    private static Command Cleaning(Terminal terminal)
    {
        var command = new Command("clean", "Delete old queues of runs; a run in progress has its queues there too.");
        var queue = AddQueue(command);
        var olderThan = new Option<TimeSpan?>("--older-than")
        {
            Description = "minimum age of the queues to delete, such as 1h; must exceed the duration of any run in progress",
            HelpName = "AGE",
            CustomParser = Values.Age("--older-than")
        };
        var dryRun = new Option<bool>("--dry-run") { Description = "say what would be deleted; delete nothing" };
        command.Add(olderThan);
        command.Add(dryRun);
        command.SetAction((parsed, stopping) =>
        {
            var age = parsed.GetValue(olderThan)
                ?? throw new RefusalException(
                    "'queues clean' deletes queues: give their least age, such as --older-than 1h, and see them first with --dry-run.");
            return OnAsync(queue, parsed, terminal, leftovers => CleanAsync(leftovers, age, parsed.GetValue(dryRun), terminal, stopping));
        });
        return command;
    }

    private static QueueOptions AddQueue(Command command)
    {
        var options = new QueueOptions();
        foreach (var option in options.Describe("aws: Amazon SQS", "the address of a queue server"))
            command.Add(option);
        return options;
    }

    private static async Task<int> OnAsync(
        QueueOptions options, ParseResult parsed, Terminal terminal, Func<Leftovers, Task<ExitCode>> work)
    {
        var target = options.Read(parsed);
        if (target is EmbeddedTarget)
            throw new RefusalException(
                "The queues of LocalSqs end with it: use --sqs aws and --region, or --sqs-endpoint and an address.");
        return (int)await QueueCalls.WithAsync(target, terminal.Time, async sqs =>
        {
            using var sns = target.ConnectTopics(localSqs: null, terminal.Time);
            return await work(new Leftovers(sqs, sns, terminal.Time));
        });
    }

    private static async Task<ExitCode> CleanAsync(
        Leftovers leftovers, TimeSpan age, bool dryRun, Terminal terminal, CancellationToken stopping)
    {
        // Its queues could be among them.
        if (!dryRun && RunLock.HeldBy(Path.GetTempPath()) is { } running)
            throw new RefusalException(
                $"A run is measuring on this machine ({running}), possibly with these queues: wait until it ends, or use --dry-run.");
        var failed = 0;
        var found = await leftovers.FindAsync(stopping);
        var old = found.Where(one => one.Age >= age).ToList();
        foreach (var one in old)
        {
            try
            {
                var done = dryRun ? "would be deleted" : await leftovers.DeleteAsync(one, stopping) ? "deleted" : "was gone";
                await terminal.Output.WriteLineAsync($"{Line(one)}: {done}");
            }
            catch (QueueException failure)
            {
                failed++;
                await terminal.Error.WriteLineAsync($"{one.Name} was not deleted: {failure.Message}");
            }
        }

        await terminal.Output.WriteLineAsync(
            Invariant($"{old.Count - failed} queues {(dryRun ? "would be " : "")}deleted, {found.Count - old.Count} ")
                + "younger ones left alone.");
        return failed == 0 ? ExitCode.Success : ExitCode.Unreachable;
    }

    private static string Line(Leftover one) => Invariant(
        $"{one.Name}  {(one.Age is { } age ? Invariant($"{(long)age.TotalHours}:{age:mm\\:ss}") : "of unknown age")} old, {one.Messages} ")
            + Invariant($"messages{(one.TopicArn is { } topic ? $", fed by topic {NodeNames.In(topic)}" : "")}");
}
