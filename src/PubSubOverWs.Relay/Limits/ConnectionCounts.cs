using System.Net;

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
