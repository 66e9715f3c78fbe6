using System.Text;
using PubSubOverWs.LocalSqs;

namespace PubSubOverWs.Tests.LocalSqs;

public sealed class FormFieldsTests
{
    [Theory]
    [InlineData("Message=a+b%20c%2Bd%3D%26%25", "a b c+d=&%")]
    [InlineData("Message=%C3%A9%f0%9f%98%80", "é😀")]
    [InlineData("Message=a=b", "a=b")]
    [InlineData("Message", "")]
    [InlineData("&&Message=&", "")]
    public void Values_of_a_form_are_unescaped(string form, string value) => Assert.Equal(value, Parse(form).Take("Message"));

    [Theory]
    [InlineData("Message=%")]
    [InlineData("Message=%4")]
    [InlineData("Message=%zz")]
    [InlineData("Message=a&Message=b")]
    public void An_invalid_form_is_refused(string form) => Refused(() => Parse(form));

    [Fact]
    public void More_parameters_than_any_call_has_are_refused() => Refused(() => Parse(string.Join('&', Enumerable.Range(0, 1001))));

    [Fact]
    public void An_unused_parameter_is_refused()
    {
        var form = Parse("Message=a&Subject=b");
        form.Take("Message");

        Assert.Contains("Subject", Refused(form.RefuseOthers).Message, StringComparison.Ordinal);
        form.Take("Subject");
        form.RefuseOthers();
    }

    [Fact]
    public void A_parameter_that_is_needed_is_missed() => Refused(() => Parse("Message=a").TakeNeeded("TopicArn"));

    [Fact]
    public void The_members_of_a_list_stand_in_the_order_of_their_numbers() => Assert.Equal(
        ["Entries.member.1.", "Entries.member.2.", "Entries.member.10."],
        Parse("Entries.member.10.Id=a&Entries.member.2.Id=b&Entries.member.1.Id=c&Entries.member.1.Message=d&Entries.member.x=e")
            .Members("Entries.member"));

    private static FormFields Parse(string form) => FormFields.Parse(Encoding.UTF8.GetBytes(form));

    private static SqsErrorException Refused(Action call)
    {
        var refused = Assert.Throws<SqsErrorException>(call);
        Assert.Equal(SnsError.InvalidParameter, refused.Error);
        return refused;
    }
}
