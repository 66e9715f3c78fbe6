namespace PubSubOverWs.LoadTest.Experiments.Transports;

/// <summary>What the model of drawn delays expects of a published test, as a ratio to what WebSocket delivers.</summary>
public static class ExpectedRatios
{
    /// <summary>Null: the model says nothing of the arm.</summary>
    /// <param name="scenario">Its delays, its sensor and its polls.</param>
    public static double? Of(TransportsScenario scenario, string arm, Level level)
    {
        var (network, period) = (scenario.NetworkAt(level), scenario.Period.TotalMilliseconds);
        var simulation = new PollingSimulation(
            LogNormal.Of(network.Latency!.Value.TotalMilliseconds, network.LatencyDeviation.TotalMilliseconds), period);
        var delivered = TransportsScenario.Of(level).WebSocket.Mean;
        return arm switch
        {
            TransportArms.WebSocket or TransportArms.Events => 1,
            TransportArms.LongPolling => simulation.LongPolling(scenario.LongPollingWait.TotalMilliseconds) / delivered,
            TransportArms.Polling => simulation.Polling(scenario.PollingPause.TotalMilliseconds) / delivered,
            _ => null,
        };
    }
}
