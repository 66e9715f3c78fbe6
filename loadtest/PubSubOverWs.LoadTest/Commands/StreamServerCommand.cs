using System.CommandLine;
using System.CommandLine.Parsing;
using PubSubOverWs.LoadTest.Experiments.Interference;
using PubSubOverWs.LoadTest.Experiments.Interference.Load;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary>The command <c>stream-server</c>, which a run of stream-interference starts as a separate process.</summary>
public static class StreamServerCommand
{
    private const int DefaultPort = 8080;

    /// <param name="args">All arguments of the program: the web host reads its settings from them.</param>
    public static Command Create(string[] args)
    {
        var published = StreamSettings.Published.Dummies;
        var bytes = new Option<int?>("--dummy-bytes")
        {
            CustomParser = Values.Count("--dummy-bytes", 1, DummyMessages.LargestBytes),
            Description = $"payload of each message of the stream; default: {published.Bytes}",
            HelpName = "N",
        };
        var period = new Option<int?>("--dummy-period")
        {
            CustomParser = Microseconds("--dummy-period"),
            Description = $"time from one message of the stream to the next, 1us to 2000s; 0: no stream; default: {published.PeriodUs}us",
            HelpName = "TIME",
        };
        var chunk = new Option<int?>("--chunk-bytes")
        {
            CustomParser = Values.Count("--chunk-bytes", 0, DummyMessages.LargestBytes),
            Description = "larger messages are sent as several of this size, and replies go between them; default: 0, whole",
            HelpName = "N",
        };
        var port = new Option<int?>("--port")
        {
            CustomParser = Values.Count("--port", 0, ushort.MaxValue),
            Description = $"port on loopback, 0 for a free one; default: {DefaultPort}",
            HelpName = "N",
        };
        var command = new Command(
            StreamServer.Command,
            "Serve /ws on this machine: stream messages to every client, and send back each text message. Clients may choose other values "
                + "in the query: dummyBytes, dummyPeriodUs, chunkBytes.")
        { bytes, period, chunk, port };
        // A run starts it with settings of the web host.
        var isChild = args.Contains("--child");
        command.TreatUnmatchedTokensAsErrors = !isChild;
        command.SetAction((parsed, _) => StreamServer.RunAsync(
            args,
            isChild ? null : parsed.GetValue(port) ?? DefaultPort,
            new StreamSettings(
                parsed.GetValue(period) == 0
                    ? DummyMessages.Idle
                    : new DummyMessages(parsed.GetValue(bytes) ?? published.Bytes, parsed.GetValue(period) ?? published.PeriodUs),
                parsed.GetValue(chunk) ?? 0)));
        return command;
    }

    private static Func<ArgumentResult, int?> Microseconds(string option) => result =>
    {
        if (result.Tokens.Count == 0)
            return null;
        var word = result.Tokens[^1].Value;
        if (word == "0" || DummyMessages.PeriodOf(word) is >= 1 and <= DummyMessages.LongestPeriodUs)
            return (int)(DummyMessages.PeriodOf(word) ?? 0);
        result.AddError($"{option} '{word}' is not a time from 1us to 2000s: write a number with us, ms, s or m after it, or 0.");
        return null;
    };
}
