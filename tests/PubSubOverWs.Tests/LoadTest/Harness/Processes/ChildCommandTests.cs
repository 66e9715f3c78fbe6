using PubSubOverWs.LoadTest.Experiments.Transports.Load;
using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.Tests.LoadTest.Harness.Processes;

public sealed class ChildCommandTests
{
    /// <summary>Else the null echo is no lower bound. What the programs of the servers have is a test of the end-to-end tests.</summary>
    [Fact]
    public void Web_servers_that_are_commands_of_this_program_compile_and_collect_as_the_servers_do() => Assert.All(
        new[] { NullEcho.ChildCommand, FeedServer.ChildCommand },
        command =>
        {
            Assert.Equal("0", command.Environment!["DOTNET_TC_CallCountingDelayMs"]);
            Assert.Equal("1", command.Environment["DOTNET_gcServer"]);
        });
}
