using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.Tests.LoadTest.Harness.Processes;

public sealed class InheritedSettingsTests
{
    [Theory]
    [InlineData("Access__UsersFile")]
    [InlineData("ACCESS:USERSFILE")]
    [InlineData("Kestrel__Endpoints__A__Url")]
    [InlineData("ASPNETCORE_Kestrel__Endpoints__A__Url")]
    [InlineData("ASPNETCORE_Access__UsersFile")]
    [InlineData("DOTNET_Access__UsersFile")]
    [InlineData("ASPNETCORE_URLS")]
    [InlineData("ASPNETCORE_HTTP_PORTS")]
    [InlineData("ASPNETCORE_HTTPS_PORTS")]
    [InlineData("DOTNET_URLS")]
    [InlineData("urls")]
    [InlineData("Direct__Buffer")]
    [InlineData("Relay__Delivery__AtATime")]
    [InlineData("ASPNETCORE_relay:outboxframes")]
    [InlineData("Sqs__VisibilityTimeout")]
    [InlineData("Sqs__Nodes__Enabled")]
    [InlineData("LocalSqs__DelayP50")]
    public void Settings_of_the_access_to_a_server_and_of_its_behaviour_are_not_kept(string variable) =>
        Assert.False(InheritedSettings.AreKept(variable));

    [Theory]
    [InlineData("PATH")]
    [InlineData("DOTNET_ROOT")]
    [InlineData("DOTNET_gcServer")]
    [InlineData("ASPNETCORE_ENVIRONMENT")]
    [InlineData("Accessibility__Mode")]
    [InlineData("Directory")]
    [InlineData("AWS_REGION")]
    [InlineData("Sqs__AccessKey")]
    [InlineData("SQS:SECRETKEY")]
    [InlineData("Sqs__SessionToken")]
    public void All_other_settings_are_kept(string variable) => Assert.True(InheritedSettings.AreKept(variable));
}
