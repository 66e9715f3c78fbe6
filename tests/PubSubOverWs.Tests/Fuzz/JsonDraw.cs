using System.Text;

namespace PubSubOverWs.Tests.Fuzz;

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
