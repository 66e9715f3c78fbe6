using PubSubOverWs.Record.Formats;

namespace PubSubOverWs.Tests.Record.Formats;

public class LinesTests
{
    [Fact]
    public void A_line_that_never_ends_is_given_up_once_it_is_longer_than_any()
    {
        var (text, ended) = Lines.Next(new Endless());

        Assert.Equal((Lines.MostLength, false), (text!.Length, ended));
    }

    [Fact]
    public void A_line_of_bytes_that_never_ends_is_given_up_too()
    {
        var lines = new ByteLines(new EndlessBytes());

        Assert.True(lines.TryNext());
        Assert.False(lines.Ended);
        Assert.InRange(lines.Line.Length, Lines.MostLength, 2 * Lines.MostLength);
    }

    [Fact]
    public void The_longest_allowed_line_is_read()
    {
        using var reader = new StringReader(new string('x', Lines.MostLength) + "\n");

        Assert.True(Lines.Next(reader).Ended);
    }

    private sealed class Endless : TextReader
    {
        public override int Read() => 'x';
    }

    private sealed class EndlessBytes : MemoryStream
    {
        public override int Read(byte[] buffer, int offset, int count)
        {
            Array.Fill(buffer, (byte)'x', offset, count);
            return count;
        }
    }
}
