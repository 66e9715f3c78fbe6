using PubSubOverWs.Stomp;
using PubSubOverWs.Tests.Stomp;

namespace PubSubOverWs.Tests.Fuzz;

/// <summary>Bytes into the frame reader: in pieces it reads the same frames as in one, or finds the same fault.</summary>
internal sealed class ReaderTarget : IFuzzTarget
{
    public const string Id = "reader";

    private static readonly StompLimits Limits = new() { MaxHeaders = 8, MaxHeaderBytes = 400, MaxBodyBytes = 1_000 };

    public string Name => Id;

    public string Unit => FuzzTargets.Frames;

    public Task<int> StepAsync(Draw draw)
    {
        var (version, count) = (FrameDraw.Version(draw), draw.Between(1, 8));
        ReadOnlyMemory<byte> bytes = FrameDraw.Bytes(draw, version, count);

        var whole = Read(version, [bytes]);
        var pieces = Read(version, draw.Pieces(bytes));

        Assert.Equal(whole.Frames, pieces.Frames);
        // Of two faults the one is found first here and the other there.
        Assert.True(
            (whole.Refusal is null) == (pieces.Refusal is null),
            $"Whole: {whole.Refusal ?? "taken"}; in pieces: {pieces.Refusal ?? "taken"}");
        return Task.FromResult(count);
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    private static (List<PlainFrame> Frames, string? Refusal) Read(StompVersion version, IEnumerable<ReadOnlyMemory<byte>> pieces)
    {
        var stream = new ReceivedBytes(version, Limits);
        try
        {
            foreach (var piece in pieces)
                stream.Append(piece.Span);
            return (stream.Frames, null);
        }
        catch (StompException refused)
        {
            return (stream.Frames, refused.Message);
        }
    }
}
