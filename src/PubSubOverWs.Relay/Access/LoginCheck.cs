using System.Buffers.Binary;
using System.Collections.Concurrent;
using System.Security.Cryptography;
using System.Text;

namespace PubSubOverWs.Relay;

/// <summary>
/// Checks passcodes, which is slow on purpose, without letting that take the processor from those who are in: few at a time, each pair of
/// login and passcode only once at a time, and what was right is known again for a while (docs/decisions/0090).
/// </summary>
/// <param name="matches">Whether the user has this passcode; takes as long for every user.</param>
/// <param name="atOnce">Most checks that run at a time.</param>
/// <param name="mostUnderWay">Most pairs that are being checked or wait for it; <see cref="MostOf"/> is a good number.</param>
internal sealed class LoginCheck(Func<User, string, bool> matches, int atOnce, int mostUnderWay, TimeProvider time)
{
    // Of the advised hashes, each below 0.2 s where this was written.
    private const int MostAdvised = 32;

    /// <summary>How long a right pair is known again without a check.</summary>
    public static readonly TimeSpan Remembered = TimeSpan.FromMinutes(5);

    private readonly byte[] _key = RandomNumberGenerator.GetBytes(32);
    private readonly TaskScheduler _checks = new ConcurrentExclusiveSchedulerPair(TaskScheduler.Default, atOnce).ConcurrentScheduler;
    private readonly Dictionary<string, Task<LoginOutcome>> _underWay = [];

    // One for each user at most: only what was right is in it, and a user has one passcode.
    private readonly ConcurrentDictionary<User, Proof> _proofs = [];

    /// <summary>
    /// So many that the last of them waits about six seconds where one is checked at a time, less than the ten that a client usually has
    /// until it is connected: 32, and fewer where the passcodes of the file of users are dearer than is advised.
    /// </summary>
    /// <param name="iterations">Of one check.</param>
    public static int MostOf(int iterations) => Math.Max(1, (int)((long)MostAdvised * PasscodeHash.Advised / iterations));

    /// <summary>Whether the pair was right not long ago: known without a check. Null: nothing was right of this user then.</summary>
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
            if (_underWay.Count == mostUnderWay)
                return new(LoginOutcome.Busy);
            // Thousands may wait for one check: they go on elsewhere, not in the place of the next check.
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

    // Not cut short: what waits is bounded, and when one client is gone another one may wait for the same.
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

    // The login is part of it: else two strangers with one passcode would share a check, which two users never do, and could be told from
    // them by it.
    private byte[] Blind(string login, string passcode)
    {
        Span<byte> length = stackalloc byte[sizeof(int)];
        BinaryPrimitives.WriteInt32LittleEndian(length, login.Length);
        return HMACSHA256.HashData(_key, (byte[])[.. length, .. Encoding.UTF8.GetBytes(login), .. Encoding.UTF8.GetBytes(passcode)]);
    }

    /// <param name="Pair">Login and passcode, under a key that only this process has.</param>
    private sealed record Proof(byte[] Pair, long Since);
}
