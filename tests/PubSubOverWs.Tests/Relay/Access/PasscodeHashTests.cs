using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Access;

public sealed class PasscodeHashTests
{
    [Fact]
    public void A_passcode_matches_its_hash_and_no_other_does()
    {
        var hash = PasscodeHash.Create("secret word");

        Assert.True(hash.Matches("secret word", atLeast: 0));
        Assert.False(hash.Matches("secret Word", atLeast: 0));
        Assert.False(PasscodeHash.CreateUnmatchable().Matches("", atLeast: 0));
    }

    [Fact]
    public void A_hash_agrees_with_that_of_another_implementation_of_PBKDF2_for_the_same_salt()
    {
        var hash = PasscodeHash.TryParse(AccessFolder.PasscodeHash)!;

        Assert.True(hash.Matches(AccessFolder.Passcode, atLeast: PasscodeHash.Advised + 1));
        Assert.Equal(AccessFolder.PasscodeHash, hash.Text);
    }

    [Fact]
    public void Two_hashes_of_one_passcode_have_two_salts()
    {
        var (one, other) = (PasscodeHash.Create("secret word").Text.Split('$'), PasscodeHash.Create("secret word").Text.Split('$'));

        Assert.Equal(one[..2], other[..2]);
        Assert.NotEqual(one[2], other[2]);
        Assert.NotEqual(one[3], other[3]);
    }

    [Theory]
    [InlineData(PasscodeHash.Advised)]
    [InlineData(300_000)]
    [InlineData(PasscodeHash.MaxIterations)]
    public void A_check_costs_as_much_as_the_most_expensive_entry_even_if_there_is_no_entry(int most)
    {
        PasscodeHash[] hashes = [PasscodeHash.CreateUnmatchable(), PasscodeHash.TryParse(AccessFolder.PasscodeHash)!,
            PasscodeHash.TryParse(AccessFolder.HashOf(most))!];

        Assert.All(hashes, hash =>
        {
            var iterations = 0;
            hash.Matches("any", most, (_, _, count) =>
            {
                iterations += count;
                return new byte[32];
            });
            Assert.Equal(most, iterations);
        });
    }

    [Fact]
    public void The_most_expensive_entry_is_that_of_all_users()
    {
        UserEntry[] entries =
        [
            new() { Login = "token", Token = AccessFolder.TokenHash },
            new() { Login = "dear", Passcode = AccessFolder.HashOf(300_000) },
            new() { Login = "cheap", Passcode = AccessFolder.PasscodeHash },
        ];

        Assert.Equal(300_000, new Users(new UsersDocument(entries)).Iterations);
    }

    [Theory]
    [InlineData("secret word")]
    [InlineData("pbkdf2-sha512$210000$AAECAwQFBgcICQoLDA0ODw")]
    [InlineData("pbkdf2-sha256$210000$AAECAwQFBgcICQoLDA0ODw$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")]
    [InlineData("pbkdf2-sha512$209999$AAECAwQFBgcICQoLDA0ODw$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")]
    [InlineData("pbkdf2-sha512$1000001$AAECAwQFBgcICQoLDA0ODw$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")]
    [InlineData("pbkdf2-sha512$210000$AAEC$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")]
    [InlineData("pbkdf2-sha512$210000$AAECAwQFBgcICQoLDA0ODw$AAAA")]
    [InlineData("pbkdf2-sha512$210000$AAECAwQFBgcICQoLDA0ODw$AAAAAAAAAAAAAAAAAAAA!AAAAAAAAAAAAAAAAAAAAAA")]
    public void An_invalid_too_weak_or_too_expensive_hash_is_refused(string text) => Assert.Null(PasscodeHash.TryParse(text));
}
