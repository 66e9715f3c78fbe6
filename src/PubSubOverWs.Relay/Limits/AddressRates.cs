using System.Net;

namespace PubSubOverWs.Relay;

/// <summary>
/// The rates at which the connections of each address may send together. An address that has left is remembered until its buckets are full
/// again, or coming again would fill them; so is a bounded number of them, and the one that left first is forgotten first.
/// </summary>
internal sealed class AddressRates(RelayOptions options, TimeProvider time)
{
    public const int MaxThatLeft = 10_000;

    private readonly Lock _gate = new();
    private readonly Dictionary<IPAddress, Known> _known = [];

    // Each address once; it may have come back since.
    private readonly Queue<IPAddress> _left = [];

    /// <summary>Addresses that are known: those with connections, and those that left not long ago.</summary>
    public int Count
    {
        get
        {
            lock (_gate)
                return _known.Count;
        }
    }

    /// <summary>
    /// The rate of one more connection, which <see cref="Leave"/> takes off again. Null: nothing is bounded, nor remembered.
    /// </summary>
    public InputRate? Enter(IPAddress address)
    {
        lock (_gate)
        {
            Forget();
            if (!_known.TryGetValue(address, out var known))
            {
                if (InputRate.CreateForAddress(options, time) is not { } rate)
                    return null;
                _known[address] = known = new Known(rate);
            }
            known.Connections++;
            return known.Rate;
        }
    }

    public void Leave(IPAddress address)
    {
        lock (_gate)
        {
            if (!_known.TryGetValue(address, out var known))
                return;
            if (--known.Connections == 0 && !known.HasLeft)
            {
                known.HasLeft = true;
                _left.Enqueue(address);
            }
            Forget();
        }
    }

    private void Forget()
    {
        while (_left.TryPeek(out var address))
        {
            var known = _known[address];
            if (known.Connections == 0)
            {
                if (!known.Rate.IsFull && _left.Count <= MaxThatLeft)
                    return;
                _known.Remove(address);
            }
            known.HasLeft = false;
            _left.Dequeue();
        }
    }

    private sealed class Known(InputRate rate)
    {
        public InputRate Rate { get; } = rate;
        public int Connections { get; set; }

        /// <summary>It stands in the queue of those that left.</summary>
        public bool HasLeft { get; set; }
    }
}
