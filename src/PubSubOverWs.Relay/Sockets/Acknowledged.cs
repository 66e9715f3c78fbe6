using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace PubSubOverWs.Relay;

/// <summary>What the other side's system has taken of what was sent on a socket, be it a client or a proxy.</summary>
internal static class Acknowledged
{
    // tcpi_bytes_acked in struct tcp_info of linux/tcp.h, since Linux 4.1.
    private const int Tcp = 6, TcpInfo = 11, BytesAcked = 120;

    /// <summary>The system says it.</summary>
    public static bool IsKnown => OperatingSystem.IsLinux();

    /// <returns>Bytes since the connection was made; null: the system does not say, as only Linux does, or the socket is closed.</returns>
    public static long? BytesOf(Socket? socket)
    {
        if (socket is null || !IsKnown)
            return null;
        Span<byte> info = stackalloc byte[BytesAcked + sizeof(long)];
        try
        {
            return socket.GetRawSocketOption(Tcp, TcpInfo, info) == info.Length ? MemoryMarshal.Read<long>(info[BytesAcked..]) : null;
        }
        catch (Exception gone) when (gone is SocketException or ObjectDisposedException)
        {
            return null;
        }
    }
}
