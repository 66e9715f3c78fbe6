using System.Net;
using Microsoft.AspNetCore.HttpOverrides;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Options;

namespace PubSubOverWs.Relay;

/// <summary>
/// The proxies that are trusted to give a client's address. Each appends the address that connected to it to <c>X-Forwarded-For</c>, so the
/// list is read from its end, as long as the addresses are those of trusted proxies. The first other address is the client's; anything
/// before it may be made up.
/// </summary>
internal sealed class TrustedProxies
{
    private readonly ForwardedHeadersOptions _options = new() { ForwardedHeaders = ForwardedHeaders.XForwardedFor, ForwardLimit = null };

    /// <param name="list">As in <see cref="AccessOptions.Proxies"/>.</param>
    /// <param name="hasUsers">Every client must log in.</param>
    /// <exception cref="StartFailedException">Something in the list is neither an address nor a network, or there are no users.</exception>
    public TrustedProxies(string list, bool hasUsers)
    {
        // The framework trusts this machine by default, and every address when both lists are empty: then it is not used.
        _options.KnownProxies.Clear();
        _options.KnownIPNetworks.Clear();
        foreach (var word in list.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))
        {
            if (IPAddress.TryParse(word, out var address))
                _options.KnownProxies.Add(address);
            else if (System.Net.IPNetwork.TryParse(word, out var network))
                _options.KnownIPNetworks.Add(network);
            else
                throw new StartFailedException(
                    $"Access:Proxies has '{word}', which is neither an address nor a network: write such as 127.0.0.1 or 192.0.2.0/24.");
        }
        if (!IsEmpty && !hasUsers)
        {
            throw new StartFailedException(
                "Access:Proxies names proxies, through which others than this machine get here, and this server has no users: "
                + "name a users file in Access:UsersFile.");
        }
    }

    private bool IsEmpty => _options.KnownProxies.Count + _options.KnownIPNetworks.Count == 0;

    /// <summary>
    /// A handler in front of <paramref name="next"/>, which then sees the client's address instead of the proxy's.
    /// </summary>
    public RequestDelegate Before(RequestDelegate next) =>
        IsEmpty ? next : new ForwardedHeadersMiddleware(next, NullLoggerFactory.Instance, Options.Create(_options)).Invoke;
}
