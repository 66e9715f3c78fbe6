using PubSubOverWs.LoadTest.Processes;

namespace PubSubOverWs.LoadTest.Targets.Drain;

/// <summary>
/// Waits until servers that share their work know of each other: before that they exchange messages through the shared queue only.
/// </summary>
public static class ClusterReadiness
{
    private static readonly TimeSpan FindTimeout = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan BetweenLooks = TimeSpan.FromMilliseconds(100);

    /// <summary>Completes when every node says that there are as many as there are.</summary>
    /// <exception cref="ChildException">They did not find each other.</exception>
    public static async Task WaitAsync(IReadOnlyList<ChildServer> nodes, TimeProvider time, CancellationToken stopping)
    {
        using var timeout = new CancellationTokenSource(FindTimeout, time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(timeout.Token, stopping);
        try
        {
            foreach (var node in nodes)
            {
                using var stats = new StatsReader(node.Address);
                while (await stats.ReadAsync(either.Token) is not { } json || StatsReader.Nodes(json) != nodes.Count)
                    await Task.Delay(BetweenLooks, time, either.Token);
            }
        }
        catch (OperationCanceledException) when (!stopping.IsCancellationRequested)
        {
            throw new ChildException(
                $"The {nodes.Count} servers did not find each other within {FindTimeout.TotalSeconds:0} s: look at what they wrote to "
                    + "their logs.");
        }
    }
}
