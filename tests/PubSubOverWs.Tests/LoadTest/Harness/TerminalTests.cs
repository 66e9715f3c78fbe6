using PubSubOverWs.LoadTest.Harness;

namespace PubSubOverWs.Tests.LoadTest.Harness;

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

    [Theory]
    [InlineData(true, "\u001b[31mINVALID   \u001b[0m cut")]
    [InlineData(false, "INVALID    cut")]
    public async Task Beside_a_document_people_are_told_on_standard_error_in_colour_only_if_it_is_a_terminal(bool isLive, string line)
    {
        using var error = new StringWriter();
        var terminal = new Terminal(TextWriter.Null, error, IsLive: true, new FakeTime()) { IsErrorLive = isLive, Variable = _ => null };

        await terminal.BesideDocument.WriteAsync("INVALID", "cut", Tone.Bad);

        Assert.Equal(line + Environment.NewLine, error.ToString());
    }
}
