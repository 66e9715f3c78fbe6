using System.Text.Unicode;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Sockets;

public sealed class TextCheckTests
{
    public static TheoryData<string> Texts =>
    [
        "", "61", "c3a9", "e282ac", "f0a4ada2", "61c3a962e282ac63f0a4ada264", "ceba", "80", "c3", "c0af", "eda080", "f4908080", "f4",
        "e282", "f0a4ad", "61ff", "c328", "e2c3a9", "f0a4c3a9", "e28261", "fe", "c3c3a9",
    ];

    /// <summary>The framework says of the whole what is true of it; the pieces must come to the same, at each cut.</summary>
    [Theory]
    [MemberData(nameof(Texts))]
    public void A_text_in_pieces_is_what_it_is_as_a_whole(string hex)
    {
        var text = Convert.FromHexString(hex);
        for (var first = 0; first <= text.Length; first++)
        {
            for (var second = first; second <= text.Length; second++)
            {
                var check = new TextCheck();
                var isText = check.Take(text.AsSpan(0, first)) && check.Take(text.AsSpan(first, second - first))
                    && check.Take(text.AsSpan(second)) && check.IsWhole;
                Assert.Equal(Utf8.IsValid(text), isText);
            }
        }
    }

    [Theory]
    [InlineData("f490")]
    [InlineData("eda0")]
    [InlineData("c0")]
    [InlineData("e080")]
    [InlineData("f5")]
    public void A_text_is_refused_at_the_first_byte_that_makes_it_wrong(string hex) =>
        Assert.False(new TextCheck().Take(Convert.FromHexString(hex)));
}
