namespace PubSubOverWs.Relay;

/// <summary>
/// What a connection tells its session, from any thread and within locks, so that the session must only take note. The exception is
/// <see cref="OnControlTrafficAsync"/>, which the reader awaits.
/// </summary>
internal abstract class ConnectionUser : TimerWheel.Member
{
    /// <summary>Something that was refused may find room now.</summary>
    public abstract void TellOfRoom();

    /// <summary>Tells the client why, as far as it can be told, and ends; without waiting.</summary>
    /// <returns>False: it was ending anyway.</returns>
    public abstract bool EndWith(string why);

    /// <summary>Ends, because the outbox of a client that must keep up is full.</summary>
    public abstract void EndSlow();

    /// <summary>Likewise, because it missed a message.</summary>
    public abstract void EndBehind(string destination);

    /// <inheritdoc cref="IWireOwner.OnControlTrafficAsync"/>
    public abstract ValueTask OnControlTrafficAsync(int bytes);
}
