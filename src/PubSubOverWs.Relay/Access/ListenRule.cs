using System.Net;
using System.Net.Sockets;

namespace PubSubOverWs.Relay;

/// <summary>Where a server may listen: without users only where nobody but this machine gets in.</summary>
internal static class ListenRule
{
    private const int BadUsage = 5;

    /// <summary>Asked for each address before it is bound, in whichever way it was configured.</summary>
    /// <exception cref="StartFailedException">Others than this machine could connect, and there are no users.</exception>
    public static void Check(EndPoint endPoint, bool hasUsers)
    {
        if (hasUsers || endPoint is UnixDomainSocketEndPoint || (endPoint is IPEndPoint ip && IPAddress.IsLoopback(ip.Address)))
            return;
        throw new StartFailedException(
            $"This server has no users, and listens on loopback only, not on {endPoint}: name a file of users in Access:UsersFile ('users add' makes one), or say --urls http://127.0.0.1:8080.",
            BadUsage);
    }
}
