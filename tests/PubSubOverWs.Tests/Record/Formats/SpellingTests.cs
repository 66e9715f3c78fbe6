using PubSubOverWs.Record.Formats;

namespace PubSubOverWs.Tests.Record.Formats;

public sealed class SpellingTests
{
    [Theory]
    [InlineData("kitten", "sitting", 3)]
    [InlineData("flaw", "lawn", 2)]
    [InlineData("", "abc", 3)]
    [InlineData("same", "same", 0)]
    public void Edits_are_those_of_levenshtein(string left, string right, int edits) => Assert.Equal(edits, Spelling.Edits(left, right));

    [Theory]
    [InlineData("--user", "--users")]
    [InlineData("--iteratoins", "--iterations")]
    [InlineData("--sqs", "--sqs-endpoint")]
    public void The_nearest_word_is_offered(string written, string meant) =>
        Assert.Equal(meant, Spelling.Nearest(written, ["--users", "--iterations", "--sqs-endpoint", "--arms"]));

    [Fact]
    public void A_word_that_is_near_to_nothing_gets_no_offer() => Assert.Null(Spelling.Nearest("--frobnicate", ["--users", "--arms"]));
}
