namespace PubSubOverWs.PubSubServer;

/// <summary>Asks a queue for messages, and hands them on.</summary>
internal interface IPolling
{
    /// <summary>Ends after <paramref name="stopping"/> fired, when the last receive has come back.</summary>
    Task RunAsync(CancellationToken stopping);
}
