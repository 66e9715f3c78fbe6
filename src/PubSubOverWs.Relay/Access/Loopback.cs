namespace PubSubOverWs.Hosting;

/// <summary>Addresses that only this machine reaches.</summary>
internal static class Loopback
{
    /// <summary>
    /// Whether only this machine can connect there. Checked for each address before it is bound, however it was configured.
    /// </summary>
    public static bool Has(System.Net.EndPoint endPoint) =>
        endPoint is System.Net.Sockets.UnixDomainSocketEndPoint
            || (endPoint is System.Net.IPEndPoint ip && System.Net.IPAddress.IsLoopback(ip.Address));

    /// <summary>
    /// Whether a request was made to this machine by name: a page whose own name is made to lead here (DNS rebinding) cannot show such a
    /// one.
    /// </summary>
    public static bool Has(HostString host) =>
        host.Host.Equals("localhost", StringComparison.OrdinalIgnoreCase)
            || (System.Net.IPAddress.TryParse(host.Host, out var address) && System.Net.IPAddress.IsLoopback(address));
}
