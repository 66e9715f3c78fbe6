using System.Net;
using Microsoft.Extensions.Options;

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
                Math.Max(1, Environment.ProcessorCount / 2), LoginCheck.MostOf(users.Iterations), time);
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
        user = _users.OfToken(token);
        return user is not null;
    }

    /// <summary>Only for a server with users. A login overrides the handshake's token, but both must be valid.</summary>
    /// <param name="login">Null: CONNECT has none.</param>
    /// <param name="passcode">Null: CONNECT has none.</param>
    /// <param name="bearer">The user whose token the handshake had; null: it had none.</param>
    /// <param name="address">The client's address.</param>
    public async ValueTask<Admission> AdmitAsync(string? login, string? passcode, User? bearer, IPAddress address)
    {
        if (login is null && passcode is null)
            return bearer is not null
                ? new(bearer, "")
                : Refused("Only users of this server may connect: send login and passcode with CONNECT, or a bearer token with "
                    + "the handshake.");
        if (login is null || passcode is null)
            return Refused("CONNECT has one of login and passcode: send both.");
        var user = _users!.OfLogin(login);
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
