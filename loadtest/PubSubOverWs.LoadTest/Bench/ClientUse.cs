namespace PubSubOverWs.LoadTest.Bench;

/// <summary>What the client took, with the little that the bench itself takes.</summary>
/// <param name="CpuSeconds">Of this process, all threads.</param>
/// <param name="AllocatedBytes">By this process.</param>
public sealed record ClientUse(double CpuSeconds, long AllocatedBytes);
