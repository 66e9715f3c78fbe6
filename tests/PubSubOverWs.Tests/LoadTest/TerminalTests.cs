using PubSubOverWs.LoadTest;

namespace PubSubOverWs.Tests.LoadTest;

public sealed class TerminalTests
{
    [Theory]
    [InlineData(true, null, true)]
    [InlineData(true, "", true)]
    [InlineData(true, "true", false)]
    [InlineData(false, null, false)]
    public void A_person_is_there_on_a_terminal_that_is_not_that_of_a_build(bool isLive, string? build, bool isAttended) =>
        Assert.Equal(isAttended, new Terminal(TextWriter.Null, TextWriter.Null, isLive, new FakeTime())
        { Variable = name => name == "CI" ? build : null }.IsAttended);
}
