using System.ComponentModel.DataAnnotations;

namespace PubSubOverWs.Relay;

/// <summary>
/// Which clients may connect, section <c>Access</c>. Without a file of users all on this machine may, and the server listens on
/// loopback only.
/// Secrets stand in files that are named here, never in a setting: settings are shown by lists of processes and of containers.
/// </summary>
public sealed class AccessOptions
{
    /// <summary>The file of users, as <c>users add</c> writes it, read once at start. Empty: no users.</summary>
    public string UsersFile { get; set; } = "";

    /// <summary>
    /// A file with the bearer token that <c>/stats</c> wants to see, of at least 16 characters, read once at start. Empty: <c>/stats</c> is
    /// open as long as there are no users, and closed otherwise.
    /// </summary>
    public string StatsTokenFile { get; set; } = "";

    /// <summary>
    /// Whose pages may connect: origins such as <c>https://example.org</c>, with commas between them; <c>*</c>: anybody's. Empty: only
    /// those that this server itself has served. Clients that are no browser send no origin, and are not asked for one.
    /// </summary>
    public string Origins { get; set; } = "";

    /// <summary>
    /// Takes the bearer token of a handshake from the query as well, <c>/ws?access_token=...</c>: a browser can set no header there. Off by
    /// default, for addresses are kept in histories and by proxies.
    /// </summary>
    public bool TokenInQuery { get; set; }

    /// <summary>
    /// Proxies before this server, whose header <c>X-Forwarded-For</c> is believed: addresses and networks such as
    /// <c>127.0.0.1,192.0.2.0/24</c>. A client's address is then the last one in it that is none of theirs. Empty: the header is not
    /// looked at. Needs users.
    /// </summary>
    public string Proxies { get; set; } = "";

    /// <summary>Wrong logins from one address after which it is locked out, 0 (never) to 1,000,000.</summary>
    [Range(0, 1_000_000)]
    public int MaxFailedLogins { get; set; } = 20;

    /// <summary>
    /// How long, counted from its last wrong login: only what was right in the last five minutes is let in. 1 s to 1 day.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:01", "1.00:00:00")]
    public TimeSpan LockOut { get; set; } = TimeSpan.FromMinutes(1);
}
