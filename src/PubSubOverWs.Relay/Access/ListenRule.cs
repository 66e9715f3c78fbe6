using System.Net;
using PubSubOverWs.Hosting;

namespace PubSubOverWs.Relay;

/// <summary>Where a server may listen: without users only at addresses that other machines cannot reach.</summary>
internal static class ListenRule
{
    /// <summary>Called for each address before it is bound, however it was configured.</summary>
    /// <exception cref="StartFailedException">Other machines could connect, and there are no users.</exception>
    public static void Check(EndPoint endPoint, bool hasUsers)
    {
        if (hasUsers || Loopback.Has(endPoint))
            return;
        throw new StartFailedException(
            $"This server has no users, and listens on loopback only, not on {endPoint}: name a users file in Access:UsersFile "
                + "('users add' makes one), or say --urls http://127.0.0.1:8080.");
    }
}
