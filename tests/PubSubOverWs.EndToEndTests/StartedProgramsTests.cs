using System.Text.Json;

namespace PubSubOverWs.EndToEndTests;

public sealed class StartedProgramsTests
{
    [Theory]
    [InlineData("direct")]
    [InlineData("pubsub")]
    [InlineData("localsqs")]
    public void The_program_of_a_server_compiles_hot_code_again_at_once(string server)
    {
        var folder = Path.Combine(AppContext.BaseDirectory, "servers", server);
        var file = Assert.Single(Directory.GetFiles(folder, "*.runtimeconfig.json"));
        using var settings = JsonDocument.Parse(File.ReadAllText(file));

        Assert.Equal(
            0,
            settings.RootElement.GetProperty("runtimeOptions").GetProperty("configProperties")
                .GetProperty("System.Runtime.TieredCompilation.CallCountingDelayMs").GetInt32());
    }
}
