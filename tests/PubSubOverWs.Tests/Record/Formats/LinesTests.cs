using System.Text;
using PubSubOverWs.Record.Formats;

namespace PubSubOverWs.Tests.Record.Formats;

public class LinesTests
{
    [Fact]
    public void A_line_that_never_ends_is_given_up_once_it_is_longer_than_any()
    {
        var lines = new Lines(new EndlessBytes());

        Assert.True(lines.TryNext());
        Assert.Equal((false, false), (lines.Ended, lines.IsCut));
        Assert.InRange(lines.Line.Length, Lines.MostLength, 2 * Lines.MostLength);
    }

    [Fact]
    public void The_longest_allowed_line_is_read_and_a_cut_one_is_told_from_it()
    {
        var lines = new Lines(new MemoryStream(Encoding.UTF8.GetBytes(new string('x', Lines.MostLength) + "\r\ncut")));

        Assert.True(lines.TryNext());
        Assert.Equal((true, 1, Lines.MostLength), (lines.Ended, lines.Number, lines.Text.Length));
        Assert.True(lines.TryNext());
        Assert.Equal((true, 2, "cut"), (lines.IsCut, lines.Number, lines.Text));
        Assert.False(lines.TryNext());
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
