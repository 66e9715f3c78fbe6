namespace PubSubOverWs.LoadTest.Live;

/// <summary>What an arm has shown so far at one level, warm-up left out.</summary>
/// <param name="Arm">The arm.</param>
/// <param name="Users">The level.</param>
/// <param name="Iterations">Measured iterations so far.</param>
/// <param name="Attempts">Messages that should have arrived.</param>
/// <param name="Delivered">Messages that arrived in time.</param>
/// <param name="MeanLatency">Mean over the iterations' means; null when nothing was delivered.</param>
public sealed record ArmProgress(string Arm, int Users, int Iterations, long Attempts, long Delivered, TimeSpan? MeanLatency)
{
    /// <summary>From 0 to 1; null before anything was attempted.</summary>
    public double? Loss => Attempts == 0 ? null : 1 - (double)Delivered / Attempts;
}
