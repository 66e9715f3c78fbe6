using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.Tests.LoadTest.Harness.Processes;

public sealed class ListeningLineTests
{
    [Fact]
    public void The_line_gives_the_address()
    {
        Assert.True(ListeningLine.TryParse("listening http://127.0.0.1:40123", out var address));
        Assert.Equal(new Uri("http://127.0.0.1:40123/"), address);
    }

    [Theory]
    [InlineData("")]
    [InlineData("listening")]
    [InlineData("listening soon")]
    [InlineData("Now listening on: http://127.0.0.1:40123")]
    [InlineData("listening ftp://127.0.0.1:40123")]
    [InlineData("listening http://127.0.0.1:0")]
    public void Any_other_line_is_passed_over(string line) => Assert.False(ListeningLine.TryParse(line, out _));
}
