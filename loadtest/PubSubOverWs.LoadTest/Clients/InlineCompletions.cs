namespace PubSubOverWs.LoadTest.Clients;

/// <summary>
/// Lets the thread that learns of a socket's bytes also read, stamp and count them. By default the runtime hands each arrival to the thread
/// pool, which wakes another thread for it: on one core that is most of what a client costs.
/// </summary>
/// <remarks>Source: the runtime's System.Net.Sockets/src/System/Net/Sockets/SocketAsyncEngine.Unix.cs reads this variable once.</remarks>
public static class InlineCompletions
{
    /// <summary>Taken out of the environment of every child: a server is measured as it runs by default.</summary>
    public const string Variable = "DOTNET_SYSTEM_NET_SOCKETS_INLINE_COMPLETIONS";

    /// <summary>Before the first socket of this process; later it has no effect.</summary>
    public static void Enable() => Environment.SetEnvironmentVariable(Variable, "1");
}
