using System.Net;
using System.Net.Sockets;

namespace PubSubOverWs.Relay;

/// <summary>The address by which limits know a client.</summary>
internal static class ClientAddress
{
    // One customer or one network segment gets a /64 (RFC 6177; RFC 4291, 2.5.1): a client that has one address of it may
    // choose among 2^64.
    private const int NetworkBytes = 8;

    /// <summary>An IPv4 address as it is, also where it comes mapped into IPv6; of an IPv6 address its network of 64 bits.</summary>
    public static IPAddress Of(IPAddress? address)
    {
        if (address is null)
            return IPAddress.None;
        if (address.IsIPv4MappedToIPv6)
            return address.MapToIPv4();
        if (address.AddressFamily != AddressFamily.InterNetworkV6 || IPAddress.IsLoopback(address))
            return address;
        var bytes = address.GetAddressBytes();
        bytes.AsSpan(NetworkBytes).Clear();
        return new IPAddress(bytes);
    }
}
