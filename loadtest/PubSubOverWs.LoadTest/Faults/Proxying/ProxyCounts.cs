namespace PubSubOverWs.LoadTest.Faults.Proxying;

/// <summary>What a proxy has counted since it began.</summary>
/// <param name="Open">Connections that are there now.</param>
/// <param name="Accepted">Connections that were taken.</param>
/// <param name="Refused">Connections that were reset because there were as many as the proxy takes. Those that found no listener are not
/// seen here.</param>
/// <param name="Unreachable">Connections that were reset because the server did not take theirs.</param>
/// <param name="Closed">Ended as <see cref="Ending.Closed"/>.</param>
/// <param name="Broken">Ended as <see cref="Ending.Broken"/>.</param>
/// <param name="Limited">Ended as <see cref="Ending.Limited"/>.</param>
/// <param name="Reset">Ended as <see cref="Ending.Reset"/>.</param>
/// <param name="Cut">Ended as <see cref="Ending.Cut"/>.</param>
/// <param name="BytesToServer">Written to the server.</param>
/// <param name="BytesToClient">Written to clients.</param>
public sealed record ProxyCounts(
    int Open, long Accepted, long Refused, long Unreachable, long Closed, long Broken, long Limited, long Reset, long Cut,
    long BytesToServer, long BytesToClient);
