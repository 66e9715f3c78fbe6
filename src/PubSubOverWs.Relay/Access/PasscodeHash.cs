using System.Buffers.Text;
using System.Globalization;
using System.Security.Cryptography;

namespace PubSubOverWs.Relay;

/// <summary>
/// A stored passcode: PBKDF2-HMAC-SHA512 with its own salt, as text <c>pbkdf2-sha512$ITERATIONS$SALT$HASH</c>, the last two in base64url.
/// </summary>
internal sealed class PasscodeHash
{
    /// <summary>As OWASP's Password Storage Cheat Sheet advises for PBKDF2-HMAC-SHA512; fewer are refused.</summary>
    public const int Advised = 210_000;

    /// <summary>Takes about 1 s: with more, a few logins would occupy a processor for longer than a client may take to connect.</summary>
    public const int MaxIterations = 1_000_000;

    private const string Scheme = "pbkdf2-sha512";
    private const int SaltBytes = 16;
    private const int HashBytes = 32;

    private readonly byte[] _salt;
    private readonly byte[] _hash;

    private PasscodeHash(int iterations, byte[] salt, byte[] hash)
    {
        Iterations = iterations;
        _salt = salt;
        _hash = hash;
    }

    public int Iterations { get; }

    /// <summary>Its form in the users file.</summary>
    public string Text => string.Create(
        CultureInfo.InvariantCulture, $"{Scheme}${Iterations}${Base64Url.EncodeToString(_salt)}${Base64Url.EncodeToString(_hash)}");

    /// <summary>Hashes a new passcode, with a new salt.</summary>
    public static PasscodeHash Create(string passcode)
    {
        var salt = RandomNumberGenerator.GetBytes(SaltBytes);
        return new PasscodeHash(Advised, salt, Derive(passcode, salt, Advised));
    }

    /// <summary>A hash that no passcode matches.</summary>
    public static PasscodeHash CreateUnmatchable() =>
        new(Advised, RandomNumberGenerator.GetBytes(SaltBytes), RandomNumberGenerator.GetBytes(HashBytes));

    /// <summary>
    /// Null: the text is not a hash, or its iterations are not from <see cref="Advised"/> to <see cref="MaxIterations"/>.
    /// </summary>
    public static PasscodeHash? TryParse(string text) =>
        text.Split('$') is [Scheme, var count, var salt, var hash]
        && int.TryParse(count, NumberStyles.None, CultureInfo.InvariantCulture, out var iterations)
        && iterations is >= Advised and <= MaxIterations
        && Base64Url.IsValid(salt, out var saltBytes) && saltBytes >= SaltBytes
        && Base64Url.IsValid(hash, out var hashBytes) && hashBytes == HashBytes
            ? new PasscodeHash(iterations, Base64Url.DecodeFromChars(salt), Base64Url.DecodeFromChars(hash))
            : null;

    /// <summary>
    /// Takes as long as <paramref name="atLeast"/> iterations, whatever the result: the time must not tell whose hash it was.
    /// </summary>
    public bool Matches(string passcode, int atLeast) => Matches(passcode, atLeast, Derive);

    /// <inheritdoc cref="Matches(string, int)"/>
    /// <param name="derive">Makes a hash of a passcode, a salt and a number of iterations.</param>
    internal bool Matches(string passcode, int atLeast, Func<string, byte[], int, byte[]> derive)
    {
        var derived = derive(passcode, _salt, Iterations);
        if (atLeast > Iterations)
            derive(passcode, _salt, atLeast - Iterations);
        return CryptographicOperations.FixedTimeEquals(derived, _hash);
    }

    private static byte[] Derive(string passcode, byte[] salt, int iterations) =>
        Rfc2898DeriveBytes.Pbkdf2(passcode, salt, iterations, HashAlgorithmName.SHA512, HashBytes);
}
