using System.Net;
using System.Security.Cryptography;
using System.Text;
using Microsoft.AspNetCore.HttpOverrides;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Options;
using PubSubOverWs.Hosting;

namespace PubSubOverWs.Relay;

/// <summary>Decides which clients are admitted, and as which user. Without users every client is, anonymously.</summary>
internal sealed class Gate
{
    private readonly Users? _users;
    private readonly LoginCheck? _check;
    private readonly FailedLogins<IPAddress> _failed;
    private readonly FailedLogins<User> _failedWhileLockedOut;
    private readonly bool _tokenInQuery;

    /// <param name="matches">Whether the user has this passcode; null: as its hash says.</param>
    /// <exception cref="StartFailedException">A file that the settings name cannot be read or understood, or an origin is none.</exception>
    public Gate(IOptions<AccessOptions> options, TimeProvider time, Func<User, string, bool>? matches = null)
    {
        var access = options.Value;
        if (access.UsersFile.Length > 0)
        {
            var users = _users = new Users(UsersFile.Read(access.UsersFile));
            // Half of the cores stay free for connected clients; a machine with one core shares it.
            _check = new LoginCheck(
                matches ?? ((user, passcode) => user.Passcode.Matches(passcode, users.Iterations)),
                Math.Max(1, Environment.ProcessorCount / 2), LoginCheck.ComputeMaxUnderWay(users.Iterations), time);
        }
        _failed = new(access.MaxFailedLogins, access.LockOut, time);
        _failedWhileLockedOut = new(access.MaxFailedLogins, access.LockOut, time);
        _tokenInQuery = access.TokenInQuery;
        Origins = new OriginRule(access.Origins, HasUsers);
        Stats = new StatsAccess(access.StatsTokenFile, HasUsers);
        Proxies = new TrustedProxies(access.Proxies, HasUsers);
    }

    /// <summary>False: every client that reaches this server is admitted.</summary>
    public bool HasUsers => _users is not null;

    public OriginRule Origins { get; }

    public StatsAccess Stats { get; }

    public TrustedProxies Proxies { get; }

    /// <summary>
    /// Without users a server listens only where other machines cannot reach it. Called for each address before it is bound, however it was
    /// configured.
    /// </summary>
    /// <exception cref="StartFailedException">Other machines could connect, and there are no users.</exception>
    public void CheckListen(EndPoint endPoint)
    {
        if (!HasUsers && !Loopback.Has(endPoint))
            throw new StartFailedException(
                $"This server has no users, and listens on loopback only, not on {endPoint}: name a users file in Access:UsersFile "
                    + "('users add' makes one), or say --urls http://127.0.0.1:8080.");
    }

    /// <summary>
    /// Whether the answer to a health request may give the reason: an error of the queue may name accounts. The rule is that of
    /// <c>/stats</c>; that a request comes from this machine is not enough, because a proxy may run here.
    /// </summary>
    public bool MayKnowWhy(HttpRequest request) => Stats.Refusal(request) is null;

    /// <summary>False: the handshake has a token that no user has.</summary>
    /// <param name="user">Whose token it is; null: the handshake has none, or there are no users.</param>
    public bool TryIdentify(HttpRequest handshake, out User? user)
    {
        user = null;
        if (_users is null || BearerToken.In(handshake, _tokenInQuery) is not { } token)
            return true;
        user = _users.FindByToken(token);
        return user is not null;
    }

    /// <summary>Only for a server with users. A login overrides the handshake's token, but both must be valid.</summary>
    /// <param name="bearer">The user whose token the handshake had; null: it had none.</param>
    public async ValueTask<Admission> AdmitAsync(string? login, string? passcode, User? bearer, IPAddress address)
    {
        if (login is null && passcode is null)
            return bearer is not null
                ? new(bearer, "")
                : Refused("Only users of this server may connect: send login and passcode with CONNECT, or a bearer token with "
                    + "the handshake.");
        if (login is null || passcode is null)
            return Refused("CONNECT has one of login and passcode: send both.");
        var user = _users!.FindByLogin(login);
        var left = _failed.LockedOut(address);
        var outcome = left > TimeSpan.Zero ? WhileLockedOut(user, login, passcode) : await _check!.CheckAsync(user, login, passcode);
        if (outcome == LoginOutcome.Wrong)
            _failed.Add(address);
        return outcome switch
        {
            LoginOutcome.Right => new(user, "", outcome),
            LoginOutcome.Wrong => Refused("The login or the passcode is wrong: check both.", outcome),
            LoginOutcome.LockedOut => Refused(
                $"Too many logins from your address were wrong: try again in {Math.Ceiling(left.TotalSeconds)} s.", outcome),
            _ => Refused("Too many logins are being checked at this moment: try again in some seconds.", outcome),
        };
    }

    // A login that succeeded recently works although others at its address failed. Since that could be used to try passcodes quickly, each
    // user has the same number of failures as an address.
    private LoginOutcome WhileLockedOut(User user, string login, string passcode)
    {
        if (_failedWhileLockedOut.LockedOut(user) > TimeSpan.Zero)
            return LoginOutcome.LockedOut;
        switch (_check!.Remembers(user, login, passcode))
        {
            case true:
                return LoginOutcome.Right;
            case false:
                _failedWhileLockedOut.Add(user);
                break;
        }
        return LoginOutcome.LockedOut;
    }

    private static Admission Refused(string why, LoginOutcome? outcome = null) => new(null, why, outcome);
}

/// <summary>
/// Who may read <c>/stats</c>: clients with the token. Without a token: clients that address this machine by a loopback name, as long as
/// the server has no users and so listens on loopback only.
/// </summary>
internal sealed class StatsAccess
{
    private const int ShortestToken = 16;

    private readonly byte[]? _token;
    private readonly bool _isOpen;

    /// <param name="hasUsers">The server may be reached from a network.</param>
    /// <exception cref="StartFailedException">The file cannot be read, or its token is too short.</exception>
    public StatsAccess(string tokenFile, bool hasUsers)
    {
        _token = tokenFile.Length > 0 ? Hash(SecretFile.Read(tokenFile, "token of /stats", ShortestToken, isToken: true)) : null;
        _isOpen = _token is null && !hasUsers;
    }

    /// <summary>Why the request is refused, with the HTTP status; null: it is not.</summary>
    public (int Status, string Why)? Refusal(HttpRequest request)
    {
        if (_isOpen)
        {
            return Loopback.Has(request.Host)
                ? null
                : (StatusCodes.Status403Forbidden,
                    "/stats is open to this machine only, and the header Host names another: ask at 127.0.0.1, or name a file with a "
                        + "token in Access:StatsTokenFile.");
        }
        if (_token is null)
            return (StatusCodes.Status401Unauthorized,
                "/stats is closed: this server has users, and no token for it. Name a file with one in Access:StatsTokenFile.");
        return BearerToken.In(request, alsoInQuery: false) is { } shown && CryptographicOperations.FixedTimeEquals(Hash(shown), _token)
            ? null
            : (StatusCodes.Status401Unauthorized,
                "/stats wants the token of Access:StatsTokenFile: send it in the header Authorization, as Bearer TOKEN.");
    }

    // Hashes all have the same length, and a caller cannot choose what is compared.
    private static byte[] Hash(string token) => SHA256.HashData(Encoding.UTF8.GetBytes(token));
}

/// <summary>
/// The proxies that are trusted to give a client's address. Each appends the address that connected to it to <c>X-Forwarded-For</c>, so the
/// list is read from its end, as long as the addresses are those of trusted proxies. The first other address is the client's; anything
/// before it may be made up.
/// </summary>
internal sealed class TrustedProxies
{
    private readonly ForwardedHeadersOptions _options = new() { ForwardedHeaders = ForwardedHeaders.XForwardedFor, ForwardLimit = null };

    /// <param name="list">As in <see cref="AccessOptions.Proxies"/>.</param>
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

    /// <summary>A handler in front of <paramref name="next"/>, which then sees the client's address instead of the proxy's.</summary>
    public RequestDelegate Before(RequestDelegate next) =>
        IsEmpty ? next : new ForwardedHeadersMiddleware(next, NullLoggerFactory.Instance, Options.Create(_options)).Invoke;
}
