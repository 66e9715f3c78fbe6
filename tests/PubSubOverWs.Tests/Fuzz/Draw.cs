using System.Text;
using PubSubOverWs.Record.Scenarios;

namespace PubSubOverWs.Tests.Fuzz;

/// <summary>The random choices of one step: the same for the same seed and step, whatever was done before.</summary>
internal sealed class Draw(ulong seed, long step)
{
    private readonly SplitMix64 _numbers = new(new SplitMix64(seed).Next() ^ new SplitMix64((ulong)step).Next());

    /// <summary>From 0 to below <paramref name="count"/>.</summary>
    public int Below(int count) => (int)(_numbers.Next() % (ulong)count);

    /// <summary>Both ends included.</summary>
    public int Between(int min, int max) => min + Below(max - min + 1);

    public bool OneIn(int count) => Below(count) == 0;

    public T Of<T>(params ReadOnlySpan<T> choices) => choices[Below(choices.Length)];

    public byte[] Bytes(int count)
    {
        var bytes = new byte[count];
        for (var i = 0; i < count; i++)
            bytes[i] = (byte)_numbers.Next();
        return bytes;
    }

    /// <summary>Cuts bytes into pieces, of which many are short.</summary>
    public IEnumerable<ReadOnlyMemory<byte>> Pieces(ReadOnlyMemory<byte> bytes)
    {
        var longest = Of(1, 7, 100, 5_000, int.MaxValue);
        while (bytes.Length > 0)
        {
            var length = Between(1, Math.Min(longest, bytes.Length));
            yield return bytes[..length];
            bytes = bytes[length..];
        }
    }

    /// <summary>Replaces, removes or inserts a byte here and there, often one that means something.</summary>
    public byte[] Mutate(ReadOnlySpan<byte> bytes, ReadOnlySpan<byte> meaningful)
    {
        List<byte> changed = [.. bytes];
        for (var left = Between(1, 4); left > 0 && changed.Count > 0; left--)
        {
            var at = Below(changed.Count);
            var value = OneIn(3) ? (byte)Below(256) : Of(meaningful);
            switch (Below(3))
            {
                case 0:
                    changed[at] = value;
                    break;
                case 1:
                    changed.RemoveAt(at);
                    break;
                default:
                    changed.Insert(at, value);
                    break;
            }
        }
        return [.. changed];
    }
}

/// <summary>JSON by chance: mostly what is expected, with something wrong here and there.</summary>
internal static class JsonDraw
{
    private static readonly string[] Odd =
    [
        "null", "true", "false", "0", "-1", "1.5", "1e2", "1e400", "2147483648", "99999999999999999999", "\"\"", "\"text\"", "\"\\ud800\"",
        "\"\\u0000\"", "\"é\\n\"", "\"-1\"",
        "\"99999999999999999999\"", "[]", "{}", "[null]", "[[]]", "[\"\"]", "[1]", "{\"\":null}", "{\"a\":[{}]}",
    ];

    /// <summary>An object of these members; their values are JSON.</summary>
    public static string Object(Draw draw, params IReadOnlyList<(string Name, string Value)> members)
    {
        var text = new StringBuilder("{");
        foreach (var (name, value) in members)
        {
            if (draw.OneIn(25))
                continue;
            for (var times = draw.OneIn(30) ? 2 : 1; times > 0; times--)
                text.Append(text.Length > 1 ? "," : "").Append(Text(name)).Append(':')
                    .Append(draw.OneIn(20) ? draw.Of<string>(Odd) : value);
        }
        return text.Append('}').ToString();
    }

    public static string List(Draw draw, int count, Func<int, string> element)
    {
        var elements = Enumerable.Range(0, count).Select(index => draw.OneIn(40) ? draw.Of<string>(Odd) : element(index));
        return $"[{string.Join(',', elements)}]";
    }

    /// <summary>A string, escaped as far as it must be.</summary>
    public static string Text(string value) =>
        $"\"{value.Replace("\\", "\\\\", StringComparison.Ordinal).Replace("\"", "\\\"", StringComparison.Ordinal)}\"";

    /// <summary>As bytes, now and then not even JSON.</summary>
    public static byte[] Bytes(Draw draw, string json)
    {
        var bytes = Encoding.UTF8.GetBytes(json);
        return draw.OneIn(40) ? draw.Bytes(draw.Below(60))
            : draw.OneIn(8) ? draw.Mutate(bytes, "{}[]\",:\\0e\0"u8)
            : draw.OneIn(30) ? bytes[..draw.Below(bytes.Length + 1)]
            : bytes;
    }
}
