using System.ComponentModel.DataAnnotations;
using PubSubOverWs.LocalSqs;

namespace PubSubOverWs.Tests.LocalSqs;

public sealed class LocalSqsOptionsTests
{
    [Theory]
    [InlineData(false, "test", true)]
    [InlineData(true, "test", false)]
    [InlineData(true, "fifteen-letters", false)]
    [InlineData(true, "sixteen-letters!", true)]
    public void Listening_beyond_this_machine_requires_a_key_of_the_operators_own(bool allowNetwork, string secretKey, bool isTaken)
    {
        var options = new LocalSqsOptions { AllowNetwork = allowNetwork, SecretKey = secretKey };

        Assert.Equal(isTaken, Validator.TryValidateObject(options, new ValidationContext(options), [], validateAllProperties: true));
    }
}
