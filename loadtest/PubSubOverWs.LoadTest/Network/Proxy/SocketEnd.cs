using System.Net.Sockets;

namespace PubSubOverWs.LoadTest.Network.Proxy;

/// <summary>The two ways in which a TCP connection ends, from any thread.</summary>
public static class SocketEnd
{
    /// <summary>An ordinary close (FIN), unless there is something that nobody has read.</summary>
    public static void Close(Socket socket)
    {
        try
        {
            // A socket that is closed while somebody reads, and that has not been shut down, is reset by the runtime.
            socket.Shutdown(SocketShutdown.Both);
        }
        catch (SocketException)
        {
            // The other side was faster.
        }
        socket.Close();
    }

    /// <summary>A reset (RST): the other side's reads and writes fail, and what is under way is lost.</summary>
    public static void Reset(Socket socket)
    {
        try
        {
            socket.LingerState = new LingerOption(true, 0);
        }
        catch (SocketException)
        {
            // The other side was faster.
        }
        socket.Close();
    }
}
