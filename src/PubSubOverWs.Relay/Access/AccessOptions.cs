using System.ComponentModel.DataAnnotations;

namespace PubSubOverWs.Relay;

/// <summary>
/// Which clients may connect, section <c>Access</c>. Without a users file every client on this machine may, and the server listens on
/// loopback only. Secrets are in files that are named here, never in a setting: lists of processes and of containers show settings.
/// </summary>
public sealed class AccessOptions
{
    /// <summary>The users file, as <c>users add</c> writes it, read once at start. Empty: no users.</summary>
    public string UsersFile { get; set; } = "";

    /// <summary>
    /// A file with the bearer token that <c>/stats</c> requires, at least 16 characters, read once at start. Empty: <c>/stats</c> is open
    /// as long as there are no users, and closed otherwise.
    /// </summary>
    public string StatsTokenFile { get; set; } = "";

    /// <summary>
    /// Which web pages may connect: origins such as <c>https://example.org</c>, separated by commas; <c>*</c>: all. Empty: only pages that
    /// this server itself has served. Clients other than browsers send no origin, and need none.
    /// </summary>
    public string Origins { get; set; } = "";

    /// <summary>
    /// Accepts the bearer token of a handshake in the query as well, <c>/ws?access_token=...</c>, because a browser cannot set a header
    /// there. Off by default: histories and the logs of proxies keep addresses.
    /// </summary>
    public bool TokenInQuery { get; set; }

    /// <summary>
    /// Proxies in front of this server whose header <c>X-Forwarded-For</c> is trusted: addresses and networks such as
    /// <c>127.0.0.1,192.0.2.0/24</c>. A client's address is then the last one in the header that is not a proxy's. Empty: the header is
    /// ignored. Requires users.
    /// </summary>
    public string Proxies { get; set; } = "";

    /// <summary>Failed logins from one address after which it is locked out, 0 (never) to 1,000,000.</summary>
    [Range(0, 1_000_000)]
    public int MaxFailedLogins { get; set; } = 20;

    /// <summary>
    /// How long a lock-out lasts, counted from the last failed login, 1 s to 1 day. During it an address can only use logins that succeeded
    /// in the last five minutes.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:01", "1.00:00:00")]
    public TimeSpan LockOut { get; set; } = TimeSpan.FromMinutes(1);
}
