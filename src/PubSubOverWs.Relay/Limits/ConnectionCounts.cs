using System.Net;
using System.Net.Sockets;

namespace PubSubOverWs.Relay;

/// <summary>
/// How many connections each address has, as far as that is bounded (<see cref="RelayOptions.MaxConnections"/>,
/// <see cref="RelayOptions.MaxConnectionsPerAddress"/>).
/// </summary>
internal sealed class ConnectionCounts(RelayOptions options)
{
    private readonly Lock _gate = new();

    // Only addresses that have one.
    private readonly Dictionary<IPAddress, int> _byAddress = [];
    private int _all;

    /// <summary>
    /// Counts one more connection, which <see cref="Leave"/> takes off again. Not null: it is one too many, and was not counted.
    /// </summary>
    public (int Status, string Why)? TryEnter(IPAddress address)
    {
        lock (_gate)
        {
            if (options.MaxConnections > 0 && _all >= options.MaxConnections)
                return (StatusCodes.Status503ServiceUnavailable,
                    $"This server has {_all} connections, the maximum (Relay:MaxConnections): try again later, or another server.");
            var here = _byAddress.GetValueOrDefault(address);
            if (options.MaxConnectionsPerAddress > 0 && here >= options.MaxConnectionsPerAddress)
                return (StatusCodes.Status429TooManyRequests,
                    $"Your address has {here} connections, the maximum (Relay:MaxConnectionsPerAddress): close one first.");
            _all++;
            if (options.MaxConnectionsPerAddress > 0)
                _byAddress[address] = here + 1;
            return null;
        }
    }

    public void Leave(IPAddress address)
    {
        lock (_gate)
        {
            _all--;
            if (!_byAddress.TryGetValue(address, out var here))
                return;
            if (here > 1)
                _byAddress[address] = here - 1;
            else
                _byAddress.Remove(address);
        }
    }
}

/// <summary>The address by which limits know a client.</summary>
internal static class ClientAddress
{
    // One customer or one network segment gets a /64 (RFC 6177; RFC 4291, 2.5.1): a client that has one address of it may
    // choose among 2^64.
    private const int NetworkBytes = 8;

    /// <summary>An IPv4 address as it is, also where it comes mapped into IPv6; of an IPv6 address its network of 64 bits.</summary>
    public static IPAddress From(IPAddress? address)
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
