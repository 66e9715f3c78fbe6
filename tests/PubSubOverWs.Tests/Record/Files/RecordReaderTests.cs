using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Formats;
using PubSubOverWs.Record.Relay;

namespace PubSubOverWs.Tests.Record.Files;

public sealed class RecordReaderTests
{
    [Fact]
    public void A_folder_that_is_not_there_or_holds_no_run_is_named()
    {
        using var folder = new TemporaryFolder();
        Assert.Contains("There is no folder", Refused(folder.Of("nowhere")), StringComparison.Ordinal);
        Assert.Contains("There is no run.json", Refused(folder.Path), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("run.json")]
    [InlineData("iterations.csv")]
    [InlineData("flows.csv")]
    [InlineData("events.csv")]
    public void A_file_that_is_missing_is_named(string file)
    {
        using var folder = Recorded();
        File.Delete(folder.Of(file));
        Assert.Contains($"There is no {file}", Refused(folder.Path), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("run.json")]
    [InlineData("iterations.csv")]
    [InlineData("flows.csv")]
    [InlineData("events.csv")]
    public void A_file_that_is_cut_is_named(string file)
    {
        using var folder = Recorded();
        var text = File.ReadAllText(folder.Of(file));
        File.WriteAllText(folder.Of(file), text[..^3]);
        var sentence = Refused(folder.Path);
        Assert.StartsWith(file, sentence, StringComparison.Ordinal);
        Assert.Contains("cut or damaged", sentence, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("\"record\": 3", "\"record\": 4", "record version 4, and this program reads version 3")]
    [InlineData("\"record\": 3", "\"record\": \"one\"", "record version \"one\"")]
    [InlineData("\"record\": 3,", "", "no \"record\" version")]
    [InlineData("\"experiment\": \"one-way\"", "\"experiment\": \"other\"", "run.json has other experiment than its scenario")]
    [InlineData("\"target\": \"direct\"", "\"target\": \"other\"", "run.json has other arms than its scenario")]
    [InlineData("\"name\": \"message\"", "\"name\": \"other\"", "run.json has other flows than its scenario")]
    [InlineData("\"latency\": \"sent\"", "\"latency\": \"due\"", "run.json has other flows than its scenario")]
    [InlineData("\"measures\": []", "\"measures\": [{}]", "run.json has other measures than its scenario")]
    [InlineData("\"keepsSamples\": true", "\"keepsSamples\": false", "run.json has other keepsSamples than its scenario")]
    [InlineData("\"resumed\"", "\"resumedd\"", "run.json is cut or damaged")]
    [InlineData("\"iterations\": 6", "\"iterations\": 0", "invalid scenario")]
    public void A_run_of_another_version_or_with_unknown_content_is_refused(string from, string to, string named)
    {
        using var folder = Recorded();
        Change(folder.Of("run.json"), from, to);
        Assert.Contains(named, Refused(folder.Path), StringComparison.Ordinal);
    }

    [Fact]
    public void Explanations_may_be_those_of_another_version()
    {
        using var folder = Recorded();
        Change(folder.Of("run.json"), "\"words\": \"users\"", "\"words\": \"people\"");

        Assert.Equal(6, RecordReader.Read(folder.Path).Run.Scenario.Iterations);
    }

    [Fact]
    public void Columns_of_another_version_are_refused()
    {
        using var folder = Recorded();
        Change(folder.Of("iterations.csv"), "arm,users", "arm,people");
        Assert.Contains("iterations.csv has other columns than its version of the record", Refused(folder.Path), StringComparison.Ordinal);
    }

    [Fact]
    public void A_row_that_does_not_add_up_is_named_by_its_line()
    {
        using var folder = Recorded();
        Change(folder.Of("flows.csv"), "message,1234.5,0,2,0,2,", "message,1234.5,0,2,0,1,");
        Assert.StartsWith("flows.csv, line 2, does not add up", Refused(folder.Path), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("direct,1,message", "direct,1,other", "flows.csv, line 2, is of 'other', which is no flow of its scenario")]
    [InlineData("direct,1,message", "pubsub,1,message", "flows.csv must have 'message' of direct, iteration 1, once")]
    [InlineData("direct,1,message", "direct,2,message", "flows.csv must have 'message' of direct, iteration 1, once")]
    public void A_flow_that_is_missing_or_not_known_is_named(string from, string to, string named)
    {
        using var folder = Recorded();
        Change(folder.Of("flows.csv"), from, to);
        Assert.StartsWith(named, Refused(folder.Path), StringComparison.Ordinal);
    }

    [Fact]
    public void A_flow_that_is_there_twice_is_named()
    {
        using var folder = Recorded();
        File.AppendAllText(folder.Of("flows.csv"), File.ReadAllLines(folder.Of("flows.csv"))[1] + "\n");
        Assert.StartsWith("flows.csv must have 'message' of direct, iteration 1, once", Refused(folder.Path), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("iterations.csv", "proven,2", "perhaps,2", "column drain holds 'perhaps'")]
    [InlineData("flows.csv", ",10000,123.25", ",NaN,123.25", "column sentMeanUs holds 'NaN'")]
    [InlineData("iterations.csv", "direct,2", "direct,two", "column users holds 'two'")]
    [InlineData("iterations.csv", ",200,300,8,508,", ",200,300,,508,", "column clientWebSocketBytes holds ''")]
    public void An_invalid_value_is_named_with_its_column(string file, string from, string to, string named)
    {
        using var folder = Recorded();
        Change(folder.Of(file), from, to);
        var sentence = Refused(folder.Path);
        Assert.StartsWith($"{file}, line 2,", sentence, StringComparison.Ordinal);
        Assert.Contains(named, sentence, StringComparison.Ordinal);
    }

    [Fact]
    public void The_same_iteration_twice_is_refused()
    {
        using var folder = Recorded();
        File.AppendAllText(folder.Of("iterations.csv"), File.ReadAllLines(folder.Of("iterations.csv"))[1] + "\n");
        Assert.Contains("direct, iteration 1, more than once", Refused(folder.Path), StringComparison.Ordinal);
    }

    [Fact]
    public void Samples_that_are_not_there_or_are_cut_are_named()
    {
        using var folder = Recorded();
        Assert.Equal(2, SampleFile.Read(folder.Path, Some.Scenario.Flows).Count());

        var path = RecordFiles.Samples(folder.Path);
        File.WriteAllBytes(path, File.ReadAllBytes(path)[..^30]);
        Assert.StartsWith("samples.csv.gz is cut or damaged in line ", RefusedSamples(folder.Path), StringComparison.Ordinal);

        File.Delete(path);
        Assert.StartsWith("There is no samples.csv.gz, ", RefusedSamples(folder.Path), StringComparison.Ordinal);
    }

    [Fact]
    public void Samples_whose_compression_is_damaged_are_named()
    {
        using var folder = Recorded();
        File.WriteAllText(RecordFiles.Samples(folder.Path), "this is not gzip");
        Assert.StartsWith("samples.csv.gz", RefusedSamples(folder.Path), StringComparison.Ordinal);
    }

    private static string RefusedSamples(string folder) =>
        Assert.Throws<RecordException>(() => SampleFile.Read(folder, Some.Scenario.Flows).Count()).Message;

    private static TemporaryFolder Recorded()
    {
        var folder = new TemporaryFolder();
        using var writer = RecordWriter.Create(folder.Path, Some.Underway);
        writer.Add(Some.Row(Relays.Direct, 2, 1, 1), [Some.Attempt(1), Some.Attempt(2)], []);
        writer.Add(new EventRow(TimeSpan.Zero, "started", "direct", "block 1"));
        return folder;
    }

    private static string Refused(string folder) => Assert.Throws<RecordException>(() => RecordReader.Read(folder)).Message;

    private static void Change(string path, string from, string to)
    {
        var text = File.ReadAllText(path);
        var at = text.IndexOf(from, StringComparison.Ordinal);
        Assert.True(at >= 0, $"'{from}' is not in {path}");
        File.WriteAllText(path, string.Concat(text.AsSpan(0, at), to, text.AsSpan(at + from.Length)));
    }
}
