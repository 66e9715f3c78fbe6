using System.IO.Compression;
using PubSubOverWs.Record.Accounting;
using static PubSubOverWs.Record.Formats.Csv;

namespace PubSubOverWs.Record.Files;

/// <summary>A line of samples.csv.gz.</summary>
/// <param name="Arm">With the iteration the key of its row in iterations.csv.</param>
/// <param name="Iteration">From 1.</param>
public readonly record struct Sample(string Arm, int Iteration, Attempt Attempt);

/// <summary>
/// samples.csv.gz: every attempt, the rows one after the other. It grows by a gzip member for each row; <c>zcat</c> and every reader of
/// gzip take them for one file.
/// </summary>
public static class SampleFile
{
    private static readonly string Name = RecordFiles.Name(RecordFiles.Samples(""));

    /// <summary>Every line, in a stream.</summary>
    /// <exception cref="RecordException">The file is not there (committed folders leave it out), or is cut.</exception>
    public static IEnumerable<Sample> Read(string folder, IReadOnlyList<Flow> flows)
    {
        using var plain = new GZipStream(RecordFiles.Open(RecordFiles.Samples(folder)), CompressionMode.Decompress);
        var lines = new Lines(plain);
        var table = new CsvTable(lines, Name, SampleCsv.Header);
        var parser = new SampleLine(flows);
        while (lines.TryNext())
            yield return lines.Ended && parser.TryParse(lines.Line, out var sample) ? sample : SampleCsv.Parse(flows, table.Row());
    }

    /// <exception cref="RecordException">It cannot be written.</exception>
    internal static void Create(string folder) =>
        RecordFiles.Replace(RecordFiles.Samples(folder), file => Compress(file, [Csv.Line(SampleCsv.Header)]));

    /// <summary>Appends all attempts of a row, or nothing.</summary>
    /// <exception cref="RecordException">They cannot be written.</exception>
    internal static void Append(FileStream file, IterationRow row, IReadOnlyList<Attempt> attempts, IReadOnlyList<Flow> flows) =>
        RecordFiles.Write(Name, () =>
        {
            var end = file.Length;
            try
            {
                Compress(file, attempts.Select(attempt => SampleCsv.Line(flows, new Sample(row.Arm, row.Iteration, attempt))));
            }
            catch
            {
                // On a full disk a part of it would take the room that the end of the record needs.
                file.SetLength(end);
                throw;
            }
        });

    /// <summary>
    /// Leaves out what a kill has cut, up to the last line with an end. Where a gzip member ends cannot be told from outside, so all lines
    /// are written again, as one.
    /// </summary>
    /// <exception cref="RecordException">It cannot be written; the old file stays.</exception>
    internal static void DropCutLine(string folder)
    {
        using var plain = new GZipStream(RecordFiles.Open(RecordFiles.Samples(folder)), CompressionMode.Decompress);
        RecordFiles.Replace(RecordFiles.Samples(folder), file =>
        {
            using var zip = new BufferedStream(new GZipStream(file, CompressionLevel.Fastest), 65_536);
            for (var lines = new Lines(plain); lines.TryNext() && lines.Ended;)
            {
                zip.Write(lines.Line);
                zip.WriteByte((byte)'\n');
            }
        });
    }

    private static void Compress(FileStream file, IEnumerable<string> lines)
    {
        using var zip = new GZipStream(file, CompressionLevel.Fastest, leaveOpen: true);
        using var text = new StreamWriter(zip, RecordFiles.Utf8, 65_536) { NewLine = "\n" };
        foreach (var line in lines)
            text.WriteLine(line);
    }
}

/// <summary>A line of samples.csv.gz: an attempt, times in microseconds from the iteration's start, empty when it did not happen.</summary>
internal static class SampleCsv
{
    public static readonly IReadOnlyList<string> Header =
    [
        "arm", "iteration", "messageId", "publisher", "recipient", "dueUs", "sentUs", "receiptUs", "receivedUs", "outcome", "cause", "flow",
        "correlationId",
    ];

    public static string Line(IReadOnlyList<Flow> flows, Sample sample)
    {
        var one = sample.Attempt;
        return Csv.Line(
        [
            sample.Arm,
            Text(sample.Iteration),
            one.MessageId,
            Text(one.Publisher),
            Text(one.Recipient),
            Text(one.Due),
            Text(one.Sent),
            Text(one.Receipt),
            Text(one.Received),
            Kebab.Text(one.Outcome),
            one.Cause == Cause.None ? "" : Kebab.Text(one.Cause),
            flows[one.Flow].Name,
            one.CorrelationId ?? "",
        ]);
    }

    public static Sample Parse(IReadOnlyList<Flow> flows, CsvRow row) => new(row.Text("arm"), row.Int("iteration"), AttemptOf(flows, row));

    private static Attempt AttemptOf(IReadOnlyList<Flow> flows, CsvRow row) => new(
        row.Text("messageId"),
        row.Int("publisher"),
        row.Int("recipient"),
        row.Time("dueUs"),
        row.OptionalTime("sentUs"),
        row.OptionalTime("receiptUs"),
        row.OptionalTime("receivedUs"),
        row.Named<Outcome>("outcome"),
        row.Text("cause").Length == 0 ? Cause.None : row.Named<Cause>("cause"))
    {
        Flow = row.IndexOf("flow", flows.Select(flow => flow.Name)),
        CorrelationId = row.Text("correlationId") is { Length: > 0 } id ? id : null,
    };
}
