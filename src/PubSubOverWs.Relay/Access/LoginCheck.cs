using System.Buffers.Binary;
using System.Collections.Concurrent;
using System.Security.Cryptography;
using System.Text;

namespace PubSubOverWs.Relay;

/// <summary>
/// Checks passcodes, which is slow on purpose, without taking the processor from connected clients: few at a time, each pair of login and
/// passcode only once at a time; a successful pair is remembered for a while (docs/decisions/0090).
/// </summary>
/// <param name="matches">Whether the user has this passcode; takes equally long for every user.</param>
/// <param name="atOnce">The largest number of checks that run at a time.</param>
/// <param name="maxUnderWay">Most pairs that are being checked or wait for it, such as <see cref="ComputeMaxUnderWay"/>.</param>
internal sealed class LoginCheck(Func<User, string, bool> matches, int atOnce, int maxUnderWay, TimeProvider time)
{
    // With the advised number of iterations, a check took less than 0.2 s when this was measured.
    private const int MaxAdvised = 32;

    /// <summary>How long a successful pair is accepted without another check.</summary>
    public static readonly TimeSpan Remembered = TimeSpan.FromMinutes(5);

    private readonly byte[] _key = RandomNumberGenerator.GetBytes(32);
    private readonly TaskScheduler _checks = new ConcurrentExclusiveSchedulerPair(TaskScheduler.Default, atOnce).ConcurrentScheduler;
    private readonly Dictionary<string, Task<LoginOutcome>> _underWay = [];

    // At most one for each user: only successful pairs are in it, and a user has one passcode.
    private readonly ConcurrentDictionary<User, Proof> _proofs = [];

    /// <summary>
    /// With so many, the last waits about 6 s when one is checked at a time, less than the 10 s that a client usually has to connect: 32,
    /// or fewer when the passcodes of the users file have more iterations than advised.
    /// </summary>
    public static int ComputeMaxUnderWay(int iterations) => Math.Max(1, (int)((long)MaxAdvised * PasscodeHash.Advised / iterations));

    /// <summary>Whether it is the pair that succeeded recently. Null: no login of this user did.</summary>
    /// <param name="user">The user with that login; a stranger if there is none.</param>
    public bool? Remembers(User user, string login, string passcode) => Remembers(user, Blind(login, passcode));

    /// <param name="user">The user with that login; a stranger if there is none.</param>
    public ValueTask<LoginOutcome> CheckAsync(User user, string login, string passcode)
    {
        var pair = Blind(login, passcode);
        if (Remembers(user, pair) is true)
            return new(LoginOutcome.Right);
        var name = Convert.ToBase64String(pair);
        lock (_underWay)
        {
            if (_underWay.TryGetValue(name, out var check))
                return new(check);
            if (_underWay.Count == maxUnderWay)
                return new(LoginOutcome.Busy);
            // Thousands may wait for one check: they continue on the thread pool, not in place of the next check. No token: others may
            // wait for it too.
            check = Task.Factory.StartNew(
                () => Run(user, passcode, pair, name), CancellationToken.None,
                TaskCreationOptions.DenyChildAttach | TaskCreationOptions.RunContinuationsAsynchronously, _checks);
            _underWay.Add(name, check);
            return new(check);
        }
    }

    private bool? Remembers(User user, byte[] pair) =>
        _proofs.TryGetValue(user, out var proof) && time.GetElapsedTime(proof.Since) < Remembered
            ? CryptographicOperations.FixedTimeEquals(proof.Pair, pair)
            : null;

    // Not cancelled when a client is gone: the number is bounded, and another client may wait for the same check.
    private LoginOutcome Run(User user, string passcode, byte[] pair, string name)
    {
        try
        {
            if (!matches(user, passcode))
                return LoginOutcome.Wrong;
            _proofs[user] = new Proof(pair, time.GetTimestamp());
            return LoginOutcome.Right;
        }
        finally
        {
            lock (_underWay)
                _underWay.Remove(name);
        }
    }

    // Includes the login: otherwise two unknown logins with the same passcode would share a check, which those of two users never do, and
    // the time would tell.
    private byte[] Blind(string login, string passcode)
    {
        Span<byte> length = stackalloc byte[sizeof(int)];
        BinaryPrimitives.WriteInt32LittleEndian(length, login.Length);
        return HMACSHA256.HashData(_key, (byte[])[.. length, .. Encoding.UTF8.GetBytes(login), .. Encoding.UTF8.GetBytes(passcode)]);
    }

    /// <param name="Pair">Login and passcode, under a key that only this process has.</param>
    private sealed record Proof(byte[] Pair, long Since);
}

/// <summary>The result of a login.</summary>
internal enum LoginOutcome
{
    Right,

    /// <summary>No such user, or a wrong passcode: clients are not told which.</summary>
    Wrong,

    /// <summary>Not checked: too many are being checked.</summary>
    Busy,

    /// <summary>Not checked: too many logins from its address failed.</summary>
    LockedOut,
}

/// <summary>Whether a session may begin.</summary>
/// <param name="User">Whose session it is; null: it is refused.</param>
/// <param name="Refusal">Why it is refused, in one sentence without the client's input.</param>
/// <param name="Outcome">Of its login; null: it had none, or half of one.</param>
internal readonly record struct Admission(User? User, string Refusal, LoginOutcome? Outcome = null);

/// <summary>
/// Counts failed logins by address or by user, so that passcodes cannot be guessed. It remembers a bounded number of keys; the oldest is
/// forgotten first.
/// </summary>
/// <typeparam name="TKey">The address or the user.</typeparam>
/// <param name="max">Failed logins after which a key is locked out; 0: none is.</param>
/// <param name="lockOut">How long, counted from the last failed login.</param>
internal sealed class FailedLogins<TKey>(int max, TimeSpan lockOut, TimeProvider time)
    where TKey : notnull
{
    public const int MaxKnown = 10_000;

    private readonly Lock _gate = new();
    private readonly Dictionary<TKey, (int Count, long Last)> _failed = [];
    private readonly Queue<TKey> _oldest = [];

    /// <summary>For how much longer the key is locked out; zero: it is not.</summary>
    public TimeSpan LockedOut(TKey key)
    {
        if (max == 0)
            return TimeSpan.Zero;
        lock (_gate)
        {
            if (!_failed.TryGetValue(key, out var failed) || failed.Count < max)
                return TimeSpan.Zero;
            var left = lockOut - time.GetElapsedTime(failed.Last);
            return left > TimeSpan.Zero ? left : TimeSpan.Zero;
        }
    }

    public void Add(TKey key)
    {
        if (max == 0)
            return;
        lock (_gate)
        {
            if (!_failed.TryGetValue(key, out var failed))
                Remember(key);
            else if (time.GetElapsedTime(failed.Last) >= lockOut)
                failed.Count = 0;
            _failed[key] = (failed.Count + 1, time.GetTimestamp());
        }
    }

    private void Remember(TKey key)
    {
        _oldest.Enqueue(key);
        if (_oldest.Count > MaxKnown)
            _failed.Remove(_oldest.Dequeue());
    }
}
