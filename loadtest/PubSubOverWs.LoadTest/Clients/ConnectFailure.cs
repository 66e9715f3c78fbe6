using PubSubOverWs.Experiment.Accounting;

namespace PubSubOverWs.LoadTest.Clients;

/// <summary>Why a user did not get in.</summary>
/// <param name="Cause">For the accounting.</param>
/// <param name="Detail">For events.csv: a status, a socket error, what an ERROR frame said. The same words for the same failure, so that
/// they can be counted.</param>
public sealed record ConnectFailure(Cause Cause, string Detail);
