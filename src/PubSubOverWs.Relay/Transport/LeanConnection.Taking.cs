namespace PubSubOverWs.Relay;

/// <content>How it leaves the web server.</content>
internal sealed partial class LeanConnection
{
    private readonly TakenConnections _others;
    private bool _isTaken;

    /// <summary>
    /// Takes it out of the web server's hands, which looks after each of its connections every second and keeps objects for it: it forgets
    /// it when what it called returns, and closes it no more (docs/decisions/0185).
    /// </summary>
    /// <param name="serving">When that is over, the connection is closed.</param>
    /// <param name="log">Told when it fails.</param>
    /// <returns>False: something, such as TLS, stands between and must be closed first; it stays as it was.</returns>
    public bool TryTake(Task serving, ILogger log)
    {
        if (_transport is not null)
            return false;
        _isTaken = true;
        _others.Enter(this);
        _ = CloseAfterAsync(serving, log);
        return true;
    }

    private async Task CloseAfterAsync(Task serving, ILogger log)
    {
        try
        {
            await serving;
        }
        catch (Exception failure)
        {
            log.ServingFailed(RemoteEndPoint, failure);
        }
        finally
        {
            try
            {
                await EndAsync();
            }
            finally
            {
                _others.Leave(this);
            }
        }
    }
}
