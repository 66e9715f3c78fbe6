using PubSubOverWs.Stomp;

namespace PubSubOverWs.Tests.Stomp;

public class StompReaderBodyTests
{
    [Fact]
    public void Without_a_content_length_the_body_ends_at_the_first_NUL()
    {
        Assert.Equal(["a\n", "b"], ReceivedBytes.ReadAll("SEND\n\na\n\0SEND\n\nb\0").Select(frame => frame.Body));
    }

    [Fact]
    public void With_a_content_length_the_body_may_hold_NUL()
    {
        Assert.Equal("a\0b\0", ReceivedBytes.ReadOne("SEND\ncontent-length:4\n\na\0b\0\0").Body);
        Assert.Equal("", ReceivedBytes.ReadOne("SEND\ncontent-length:0\n\n\0").Body);
        Assert.Empty(ReceivedBytes.ReadAll("SEND\ncontent-length:5\n\na\0b\0\0"));
    }

    [Theory]
    [InlineData("SEND\ncontent-length:3\n\nabcd\0")]
    [InlineData("SEND\ncontent-length:0\n\nabcd\0")]
    public void A_missing_NUL_after_the_body_is_refused(string text) =>
        Assert.Contains("no NUL after", ReceivedBytes.Refused(text).Message);

    [Theory]
    [InlineData("-1")]
    [InlineData("+1")]
    [InlineData("")]
    [InlineData(" 1")]
    [InlineData("1 ")]
    [InlineData("0x1")]
    [InlineData("1.0")]
    [InlineData("1000000000000000000000")]
    [InlineData("18446744073709551617")]
    public void A_content_length_that_is_not_a_number_of_bytes_is_refused(string value) =>
        Assert.Contains($"The content-length '{value}'", ReceivedBytes.Refused($"SEND\ncontent-length:{value}\n\na\0").Message);

    [Fact]
    public void A_repeated_content_length_must_say_the_same()
    {
        Assert.Equal("a\0", ReceivedBytes.ReadOne("SEND\ncontent-length:2\ncontent-length:02\n\na\0\0").Body);
        Assert.Contains("content-length '1'", ReceivedBytes.Refused("SEND\ncontent-length:2\ncontent-length:1\n\na\0\0").Message);
    }

    [Fact]
    public void A_longer_body_than_the_limit_is_refused_as_soon_as_it_shows()
    {
        var limits = new StompLimits { MaxBodyBytes = 10 };

        Assert.Equal(10, ReceivedBytes.ReadOne("SEND\n\n0123456789\0", limits: limits).Body.Length);
        Assert.Equal(10, ReceivedBytes.ReadOne("SEND\ncontent-length:10\n\n0123456789\0", limits: limits).Body.Length);
        Assert.Contains("longer than 10 bytes", ReceivedBytes.Refused("SEND\n\n0123456789a", limits: limits).Message);
        Assert.Contains("longer than 10 bytes", ReceivedBytes.Refused("SEND\ncontent-length:11\n\n", limits: limits).Message);
        Assert.Contains("longer than 10 bytes", ReceivedBytes.Refused("SEND\ncontent-length:99999999999\n\n", limits: limits).Message);
    }

    [Fact]
    public void Only_SEND_MESSAGE_and_ERROR_may_have_a_body()
    {
        foreach (var command in Enum.GetValues<StompCommand>())
        {
            var name = command.ToString().ToUpperInvariant();
            if (command is StompCommand.Send or StompCommand.Message or StompCommand.Error)
            {
                Assert.Equal("x", ReceivedBytes.ReadOne($"{name}\n\nx\0").Body);
                continue;
            }

            Assert.Contains($"The {name} frame has a body", ReceivedBytes.Refused($"{name}\n\nx").Message);
            Assert.Contains($"The {name} frame has a body", ReceivedBytes.Refused($"{name}\ncontent-length:1\n\n").Message);
            Assert.Equal("", ReceivedBytes.ReadOne($"{name}\ncontent-length:0\n\n\0").Body);
        }
    }
}
