using System.Buffers;
using System.Buffers.Text;
using System.Text;

namespace PubSubOverWs.Sqs;

/// <summary>
/// Writes a request of the Query protocol: <c>Action=Publish&amp;Version=2010-03-31&amp;Message=...</c>, in a buffer to be disposed.
/// </summary>
internal sealed class RequestForm
{
    private const string Version = "2010-03-31";

    // Unreserved characters of RFC 3986. All others are escaped, including blanks.
    private static readonly SearchValues<byte> Plain =
        SearchValues.Create("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~"u8);

    /// <param name="expectedBytes">The buffer grows when this is not enough.</param>
    /// <param name="action">The operation.</param>
    public RequestForm(int expectedBytes, string action)
    {
        Bytes = new PooledBytes(expectedBytes);
        Bytes.Write("Action="u8);
        Encoding.ASCII.GetBytes(action, Bytes);
        Add("Version", Version);
    }

    public PooledBytes Bytes { get; }

    /// <param name="name">Of ASCII letters, digits and points.</param>
    /// <param name="value">Any text.</param>
    public RequestForm Add(string name, string value) => Add(name, Encoding.UTF8.GetBytes(value));

    /// <param name="name">Of ASCII letters, digits and points.</param>
    /// <param name="value">UTF-8.</param>
    public RequestForm Add(string name, ReadOnlySpan<byte> value)
    {
        Bytes.Write("&"u8);
        Encoding.ASCII.GetBytes(name, Bytes);
        Bytes.Write("="u8);
        while (value.Length > 0)
        {
            var plain = value.IndexOfAnyExcept(Plain);
            Bytes.Write(plain < 0 ? value : value[..plain]);
            if (plain < 0)
                break;
            WriteEscaped(value[plain]);
            value = value[(plain + 1)..];
        }
        return this;
    }

    private void WriteEscaped(byte value)
    {
        var escaped = Bytes.GetSpan(3);
        escaped[0] = (byte)'%';
        Utf8Formatter.TryFormat(value, escaped[1..], out _, new StandardFormat('X', 2));
        Bytes.Advance(3);
    }
}
