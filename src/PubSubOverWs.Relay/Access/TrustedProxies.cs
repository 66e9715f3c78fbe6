using System.Net;
using Microsoft.AspNetCore.HttpOverrides;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Options;

namespace PubSubOverWs.Relay;

/// <summary>
/// The proxies whose word on a client's address is believed. Each appends the address it was called from to <c>X-Forwarded-For</c>, so
/// the list is read from its end, as far as the addresses are those of trusted proxies: what stands before the first other one anybody
/// could have written.
/// </summary>
internal sealed class TrustedProxies
{
    private readonly ForwardedHeadersOptions _options = new() { ForwardedHeaders = ForwardedHeaders.XForwardedFor, ForwardLimit = null };

    /// <param name="list">As in <see cref="AccessOptions.Proxies"/>.</param>
    /// <param name="hasUsers">Every client must log in.</param>
    /// <exception cref="StartFailedException">Something in the list is neither an address nor a network, or there are no users.</exception>
    public TrustedProxies(string list, bool hasUsers)
    {
        // The framework trusts this machine unless told otherwise, and everybody when both lists are empty: then it is left out.
        _options.KnownProxies.Clear();
        _options.KnownIPNetworks.Clear();
        foreach (var word in list.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))
        {
            if (IPAddress.TryParse(word, out var address))
                _options.KnownProxies.Add(address);
            else if (System.Net.IPNetwork.TryParse(word, out var network))
                _options.KnownIPNetworks.Add(network);
            else
                throw Refused(
                    $"Access:Proxies has '{word}', which is neither an address nor a network: write such as 127.0.0.1 or 192.0.2.0/24.");
        }
        if (!IsEmpty && !hasUsers)
        {
            throw Refused(
                "Access:Proxies names proxies, through which others than this machine get here, and this server has no users: "
                + "name a file of users in Access:UsersFile.");
        }
    }

    private bool IsEmpty => _options.KnownProxies.Count + _options.KnownIPNetworks.Count == 0;

    /// <summary>
    /// What handles requests that then go on to <paramref name="next"/>, which sees the client's address in place of the proxy's.
    /// </summary>
    public RequestDelegate Before(RequestDelegate next) =>
        IsEmpty ? next : new ForwardedHeadersMiddleware(next, NullLoggerFactory.Instance, Options.Create(_options)).Invoke;

    private static StartFailedException Refused(string sentence) => new(sentence, StartFailedException.BadUsage);
}
