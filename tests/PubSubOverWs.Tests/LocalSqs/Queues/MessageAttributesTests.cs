using System.Text;
using PubSubOverWs.LocalSqs;

namespace PubSubOverWs.Tests.LocalSqs;

public sealed class MessageAttributesTests
{
    private static readonly MessageAttributes Three = new([Text("Help.Me", "Me"), Text("Hello", "There"), Text("General", "Kenobi")]);

    /// <summary>The sums are those that AWS itself answered with, as LocalStack's tests have recorded them.</summary>
    [Theory]
    [InlineData("4c360f3fdafd970e05fae2f149d997f5", "General Hello Help.Me")]
    [InlineData("fca026605781cb4126a1e9044df24232", "Hello General")]
    [InlineData("83fee93c1bcd8b9a5a923ffacdc636c7", "Hello Help.Me")]
    [InlineData("a311262e065454b75da111d535b8dacd", "Hello")]
    public void The_MD5_is_that_of_AWS_over_the_attributes_that_are_given(string expected, string names) =>
        Assert.Equal(expected, Digits(Three.Where(name => names.Split(' ').Contains(name))!.Md5));

    [Fact]
    public void The_MD5_of_a_binary_value_is_that_of_AWS() => Assert.Equal(
        "8cbe4db156db8a94db8b801b7addb984",
        Digits(new MessageAttributes(
            [new("attr1", "Binary", "traceparent\u001e00-774062d6c37081a5a0b9b5b88e30627c-2d2482211f6489da-01"u8.ToArray())]).Md5));

    [Fact]
    public void The_MD5_has_the_whole_type_with_its_suffix() => Assert.Equal(
        "797ab158d73dcb5242dedc4412c8e855",
        Digits(new MessageAttributes([new("UserId", "Number.bigint", "1234567890123456789012"u8.ToArray())]).Md5));

    [Fact]
    public void Names_types_and_values_count_towards_the_size() =>
        Assert.Equal("né".Length + 1 + "String".Length + 5, new MessageAttributes([new("né", "String", new byte[5])]).Length);

    [Fact]
    public void No_attributes_are_left_if_none_is_wanted() => Assert.Null(Three.Where(_ => false));

    private static AttributeEntry Text(string name, string value) => new(name, "String", Encoding.UTF8.GetBytes(value));

    private static string Digits(Md5Sum md5)
    {
        var digits = new byte[32];
        md5.WriteTo(digits);
        return Encoding.ASCII.GetString(digits);
    }
}
