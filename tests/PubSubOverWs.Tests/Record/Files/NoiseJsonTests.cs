using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Formats;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Tests.Report.Standard;

namespace PubSubOverWs.Tests.Record.Files;

public sealed class NoiseJsonTests : IDisposable
{
    private static readonly NoiseFloor Noise = new(
    [
        new("aa-direct", new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.Zero), "0123",
            new SelfComparison(Relays.Direct, 6, 1, 2, 0.25, 1.81, 1)),
        new("aa-pubsub", new DateTimeOffset(2026, 1, 2, 4, 4, 5, TimeSpan.Zero), null,
            new SelfComparison(Relays.PubSub, 6, 3, 2, 0, 1.5, null)),
    ])
    { RunStarted = SmallRun.Folder.Run.Started };

    private readonly TemporaryFolder _folder = new();

    public NoiseJsonTests()
    {
        using var writer = RecordWriter.Create(_folder.Path, SmallRun.Folder.Run with { Complete = false });
        RecordWriter.Replace(_folder.Path, Noise);
    }

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Noise_is_read_as_it_was_written_with_the_larger_floor_of_both_servers()
    {
        var read = RecordReader.Read(_folder.Path).Noise!;

        Assert.Equal(Noise.Sources, read.Sources);
        // That of a server without an end is none.
        Assert.Equal((0.25, 1.81, null, false), (read.Loss, read.Latency, read.Bytes, read.Passes));
    }

    [Theory]
    [InlineData("")]
    [InlineData("{")]
    [InlineData("null")]
    [InlineData("""{ "noise": 2, "sources": [] }""")]
    [InlineData("""{ "noise": 2, "sources": [ null ] }""")]
    [InlineData("""{ "noise": 1, "sources": [] }""")]
    [InlineData("""{ "noise": 3, "sources": [] }""")]
    [InlineData("""{ "sources": [ { "run": "x" } ] }""")]
    [InlineData("""{ "floor": 0 }""")]
    public void An_invalid_file_is_named_with_advice(string text)
    {
        File.WriteAllText(_folder.Of("noise.json"), text);

        var refused = Assert.Throws<RecordException>(() => RecordReader.Read(_folder.Path));

        Assert.StartsWith("noise.json ", refused.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("LineNumber", refused.Message, StringComparison.Ordinal);
        Assert.Contains(
            "compare the run with its A/A runs again with report --noise", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_folder_with_the_name_of_the_file_is_refused()
    {
        File.Delete(_folder.Of("noise.json"));
        Directory.CreateDirectory(_folder.Of("noise.json"));

        Assert.StartsWith(
            "noise.json is a folder", Assert.Throws<RecordException>(() => RecordReader.Read(_folder.Path)).Message,
            StringComparison.Ordinal);
    }
}
