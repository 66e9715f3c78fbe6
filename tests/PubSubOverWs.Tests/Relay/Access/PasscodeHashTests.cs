using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Access;

public sealed class PasscodeHashTests
{
    [Fact]
    public void A_passcode_matches_its_hash_and_no_other_does()
    {
        var hash = PasscodeHash.Of("secret word");

        Assert.True(hash.Matches("secret word", atLeast: 0));
        Assert.False(hash.Matches("secret Word", atLeast: 0));
        Assert.False(PasscodeHash.OfNone().Matches("", atLeast: 0));
    }

    [Fact]
    public void It_is_what_another_implementation_of_PBKDF2_makes_of_the_same_salt()
    {
        var hash = PasscodeHash.TryParse(AccessFolder.PasscodeHash)!;

        Assert.True(hash.Matches(AccessFolder.Passcode, atLeast: PasscodeHash.Advised + 1));
        Assert.Equal(AccessFolder.PasscodeHash, hash.Text);
    }

    [Fact]
    public void Two_hashes_of_one_passcode_have_two_salts()
    {
        var (one, other) = (PasscodeHash.Of("secret word").Text.Split('$'), PasscodeHash.Of("secret word").Text.Split('$'));

        Assert.Equal(one[..2], other[..2]);
        Assert.NotEqual(one[2], other[2]);
        Assert.NotEqual(one[3], other[3]);
    }

    [Theory]
    [InlineData("secret word")]
    [InlineData("pbkdf2-sha512$210000$AAECAwQFBgcICQoLDA0ODw")]
    [InlineData("pbkdf2-sha256$210000$AAECAwQFBgcICQoLDA0ODw$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")]
    [InlineData("pbkdf2-sha512$209999$AAECAwQFBgcICQoLDA0ODw$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")]
    [InlineData("pbkdf2-sha512$10000001$AAECAwQFBgcICQoLDA0ODw$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")]
    [InlineData("pbkdf2-sha512$210000$AAEC$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")]
    [InlineData("pbkdf2-sha512$210000$AAECAwQFBgcICQoLDA0ODw$AAAA")]
    [InlineData("pbkdf2-sha512$210000$AAECAwQFBgcICQoLDA0ODw$AAAAAAAAAAAAAAAAAAAA!AAAAAAAAAAAAAAAAAAAAAA")]
    public void What_is_no_hash_or_too_weak_or_too_dear_is_refused(string text) => Assert.Null(PasscodeHash.TryParse(text));
}
