using System.Globalization;

namespace PubSubOverWs.Experiment.Experiments.Relay;

/// <summary>What a body needs for what it carries: checksum, id, user and sequence.</summary>
internal static class PayloadRoom
{
    // 'crc=XXXXXXXX;', 'id=', a run's token, '-', an iteration, ';', 'user=', ';', 'seq=', ';'
    private const int Fixed = 13 + 3 + 16 + 1 + 6 + 1 + 5 + 1 + 4 + 1;

    /// <summary>
    /// The least octets of a body, when each of <paramref name="users"/> sends <paramref name="messages"/>: both numbers stand in the id
    /// and beside it.
    /// </summary>
    public static int For(int users, int messages) => Fixed + (2 * Digits(users)) + (2 * Digits(messages)) + "--".Length;

    private static int Digits(int count) => (count - 1).ToString(CultureInfo.InvariantCulture).Length;
}
