using System.Text;

namespace PubSubOverWs.LocalSqs;

/// <summary>
/// The parameters of a request in the Query protocol. Each is taken once: parameters left over in the end are unknown to LocalSqs, which
/// refuses them.
/// </summary>
internal sealed class FormFields
{
    // No request needs more than ten entries with two parameters each.
    private const int MaxParameters = 1000;

    private readonly Dictionary<string, byte[]> _values = new(StringComparer.Ordinal);

    /// <exception cref="SqsErrorException">It is not a form, or has a parameter twice, or too many.</exception>
    public static FormFields Parse(ReadOnlySpan<byte> form)
    {
        var fields = new FormFields();
        foreach (var range in form.Split((byte)'&'))
        {
            var parameter = form[range];
            if (parameter.IsEmpty)
                continue;
            var equals = parameter.IndexOf((byte)'=');
            var name = Encoding.UTF8.GetString(Unescape(equals < 0 ? parameter : parameter[..equals]));
            var value = Unescape(equals < 0 ? [] : parameter[(equals + 1)..]);
            if (fields._values.Count == MaxParameters || !fields._values.TryAdd(name, value))
                throw SnsError.Invalid($"a parameter is given once, and at most {MaxParameters} are: {name}");
        }
        return fields;
    }

    /// <summary>Null: it is not given. The bytes as they came: they need not be UTF-8.</summary>
    public byte[]? TakeBytes(string name) => _values.Remove(name, out var value) ? value : null;

    /// <summary>Null: it is not given.</summary>
    public string? Take(string name) => TakeBytes(name) is { } bytes ? Encoding.UTF8.GetString(bytes) : null;

    /// <exception cref="SqsErrorException">It is not given.</exception>
    public string TakeNeeded(string name) => Take(name) ?? throw SnsError.Invalid($"{name} is missing");

    /// <summary>The members of a list or map that are given, such as <c>Attributes.entry.1.</c>, in the order of their numbers.</summary>
    public List<string> Members(string list)
    {
        var start = list + ".";
        var numbers = new SortedSet<int>();
        foreach (var name in _values.Keys)
        {
            if (name.StartsWith(start, StringComparison.Ordinal)
                && int.TryParse(name[start.Length..].Split('.')[0], System.Globalization.NumberStyles.None, null, out var number))
                numbers.Add(number);
        }
        return [.. numbers.Select(number => $"{start}{number}.")];
    }

    /// <exception cref="SqsErrorException">A parameter was not taken.</exception>
    public void RefuseOthers()
    {
        if (_values.Keys.FirstOrDefault() is { } other)
            throw SnsError.Missing($"the parameter {other} of this action");
    }

    private static byte[] Unescape(ReadOnlySpan<byte> text)
    {
        var bytes = new byte[text.Length];
        var length = 0;
        for (var at = 0; at < text.Length; at++)
        {
            bytes[length] = text[at] == (byte)'+' ? (byte)' ' : text[at];
            if (text[at] == (byte)'%')
            {
                if (text.Length - at < 3
                    || Convert.FromHexString(
                        text.Slice(at + 1, 2), bytes.AsSpan(length, 1), out _, out _) != System.Buffers.OperationStatus.Done)
                    throw SnsError.Invalid("the form has a % without two hexadecimal digits");
                at += 2;
            }
            length++;
        }
        return bytes[..length];
    }
}
