using System.Text.Json;
using PubSubOverWs.LoadTest.Commands;
using PubSubOverWs.Tests.Record;

namespace PubSubOverWs.Tests.LoadTest.Commands;

public sealed class SchemasCommandTests
{
    [Fact]
    public async Task Every_schema_is_written_and_those_that_it_refers_to()
    {
        using var folder = new TemporaryFolder();
        var terminal = new TestTerminal();

        var code = await CommandLine.RunAsync(
            ["schemas", folder.Of("schemas")], [SchemasCommand.Create()], terminal.Terminal, CancellationToken.None);

        Assert.Equal((0, ""), (code, terminal.Error));
        Assert.Equal(
            ["compare", "doctor", "noise", "plan", "report", "results", "scenario", "standard-report"],
            Directory.GetFiles(folder.Of("schemas")).Select(path => Path.GetFileName(path).Split('.')[0]).Order(StringComparer.Ordinal));
        foreach (var path in Directory.GetFiles(folder.Of("schemas")))
        {
            using var schema = JsonDocument.Parse(await File.ReadAllTextAsync(path));
            Assert.Equal("object", schema.RootElement.GetProperty("type").GetString());
        }
    }
}
