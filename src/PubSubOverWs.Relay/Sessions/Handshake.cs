using System.Globalization;
using System.Text;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.Relay;

/// <summary>The values that CONNECT and CONNECTED agree on.</summary>
/// <param name="Sends">How often the server sends at least something; zero: it need not.</param>
/// <param name="Expects">How often it expects something from the client; zero: it does not.</param>
internal readonly record struct Handshake(StompVersion Version, TimeSpan Sends, TimeSpan Expects)
{
    public const string KnownVersions = "1.0,1.1,1.2";

    /// <exception cref="StompException">No common version, or a malformed header.</exception>
    public static Handshake Read(in StompFrame connect, TimeSpan heartBeat)
    {
        var version = ReadVersion(connect);
        if (version == StompVersion.V10 || !connect.TryGet(StompNames.HeartBeat, out var offered))
            return new Handshake(version, TimeSpan.Zero, TimeSpan.Zero);
        var parts = Encoding.UTF8.GetString(offered).Split(',');
        if (parts.Length != 2 || !TryParse(parts[0], out var clientSends) || !TryParse(parts[1], out var clientExpects))
            throw new StompException(
                $"The heart-beat header '{Encoding.UTF8.GetString(offered)}' is not two numbers of milliseconds, such as 10000,10000.");
        return new Handshake(version, Agree(heartBeat, clientExpects), Agree(heartBeat, clientSends));
    }

    private static TimeSpan Agree(TimeSpan ours, TimeSpan theirs) =>
        ours == TimeSpan.Zero || theirs == TimeSpan.Zero ? TimeSpan.Zero : ours > theirs ? ours : theirs;

    // Some clients write a space after the comma, or a number beyond 31 bits: more than 25 days count as that.
    private static bool TryParse(ReadOnlySpan<char> text, out TimeSpan interval)
    {
        var digits = text.Trim(' ');
        var isInt = int.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out var milliseconds);
        interval = TimeSpan.FromMilliseconds(isInt ? milliseconds : int.MaxValue);
        return isInt || (!digits.IsEmpty && !digits.ContainsAnyExceptInRange('0', '9'));
    }

    private static StompVersion ReadVersion(in StompFrame connect)
    {
        if (!connect.TryGet(StompNames.AcceptVersion, out var accepted))
            return StompVersion.V10;
        var versions = Encoding.UTF8.GetString(accepted).Split(',', StringSplitOptions.TrimEntries);
        if (versions.Contains("1.2"))
            return StompVersion.V12;
        if (versions.Contains("1.1"))
            return StompVersion.V11;
        if (versions.Contains("1.0"))
            return StompVersion.V10;
        throw new NoCommonVersionException(
            $"No common STOMP version: the client accepts '{string.Join(',', versions)}', this server speaks {KnownVersions}.");
    }
}

/// <summary>CONNECT asks for versions of which the server knows none; its ERROR lists those it knows.</summary>
internal sealed class NoCommonVersionException(string message) : Exception(message);
