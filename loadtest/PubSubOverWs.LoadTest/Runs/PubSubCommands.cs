using System.Globalization;
using PubSubOverWs.LoadTest.Processes;
using PubSubOverWs.LoadTest.Targets.Sqs;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>The pubsub servers of a block, as the run starts them.</summary>
public static class PubSubCommands
{
    /// <summary>Whether a server shares its work with others. Always said: what the environment has must not decide it.</summary>
    public const string NodesEnabled = "Sqs:Nodes:Enabled";

    /// <summary>One server, named as its arm; or several nodes, <c>pubsub-1</c> and so on, all with the same queue.</summary>
    /// <param name="arm">Whose servers.</param>
    /// <param name="nodes">How many.</param>
    /// <param name="target">Where the queue is.</param>
    /// <param name="queue">Its name.</param>
    /// <param name="localSqs">Where the embedded queue is; null: this run has none.</param>
    public static IReadOnlyList<ChildCommand> Of(string arm, int nodes, QueueTarget target, string queue, Uri? localSqs)
    {
        var server = target.Server(queue, localSqs);
        var isNode = nodes > 1;
        server = server with { Name = arm, Arguments = [.. server.Arguments, $"--{NodesEnabled}", isNode ? "true" : "false"] };
        return
        [
            .. from number in Enumerable.Range(1, nodes)
               select isNode ? server with { Name = string.Create(CultureInfo.InvariantCulture, $"{server.Name}-{number}") } : server,
        ];
    }
}
