using System.Buffers;
using System.Text;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.Tests.Stomp;

public class StompWriterTests
{
    [Theory]
    [InlineData(StompVersion.V12, "SEND\na\\cb:\\\\c\\nd\\re f\\cg\n\n\0")]
    [InlineData(StompVersion.V11, "SEND\na\\cb:\\\\c\\nd e f\\cg\n\n\0")]
    [InlineData(StompVersion.V10, "SEND\na b:\\c d e f:g\n\n\0")]
    public void A_character_that_a_version_cannot_carry_is_escaped_or_becomes_a_space(StompVersion version, string written)
    {
        const string Name = "a:b", Value = "\\c\nd\re\0f:g";

        Assert.Equal(written, Write(version, StompCommand.Send, (ref StompWriter writer) => writer.Header(Name, Value)));
        Assert.Equal(written, Write(version, StompCommand.Send, (ref StompWriter writer) => writer.Header("a:b"u8, Value)));
        Assert.Equal(written, Write(version, StompCommand.Send, (ref StompWriter writer) => writer.Header("a:b"u8, "\\c\nd\re\0f:g"u8)));
    }

    [Fact]
    public void The_frames_that_open_a_session_have_no_escapes() => Assert.Equal(
        "CONNECT\npasscode:a:\\ b\n\n\0",
        Write(StompVersion.V12, StompCommand.Connect, (ref StompWriter writer) => writer.Header("passcode", "a:\\\nb")));

    [Theory]
    [InlineData(0)]
    [InlineData(long.MinValue)]
    [InlineData(long.MaxValue)]
    public void A_number_is_written_in_digits(long number) => Assert.Equal(
        $"RECEIPT\nn:{number}\n\n\0",
        Write(StompVersion.V12, StompCommand.Receipt, (ref StompWriter writer) => writer.Header("n"u8, number)));

    [Fact]
    public void Half_a_surrogate_pair_is_written_as_the_replacement_character() => Assert.Equal(
        "SEND\na:\uFFFDb\n\n\0", Write(StompVersion.V12, StompCommand.Send, (ref StompWriter writer) => writer.Header("a", "\uD800b")));

    [Fact]
    public void A_frame_larger_than_a_span_of_the_output_is_written_whole()
    {
        var output = new StingyBuffer();
        var value = string.Concat(Enumerable.Repeat("\n", 3_000));
        var writer = new StompWriter(output, StompVersion.V12);
        writer.Begin(StompCommand.Send);
        writer.Header("a"u8, value);
        writer.Header("b"u8, 1);
        writer.End(new byte[5_000]);

        var escaped = value.Replace("\n", "\\n", StringComparison.Ordinal);
        Assert.Equal($"SEND\na:{escaped}\nb:1\n\n{new string('\0', 5_001)}", output.ToString());
    }

    [Fact]
    public void Frames_follow_each_other_in_one_output()
    {
        var output = new ArrayBufferWriter<byte>();
        var writer = new StompWriter(output, StompVersion.V12);
        writer.Begin(StompCommand.Begin);
        writer.End();
        writer.Begin(StompCommand.Send);
        writer.End("x"u8);

        Assert.Equal("BEGIN\n\n\0SEND\n\nx\0", Encoding.UTF8.GetString(output.WrittenSpan));
    }

    private delegate void WriteHeaders(ref StompWriter writer);

    private static string Write(StompVersion version, StompCommand command, WriteHeaders headers)
    {
        var output = new ArrayBufferWriter<byte>();
        var writer = new StompWriter(output, version);
        writer.Begin(command);
        headers(ref writer);
        writer.End();
        return Encoding.UTF8.GetString(output.WrittenSpan);
    }

    /// <summary>Gives spans of exactly the length asked for, as an output may.</summary>
    private sealed class StingyBuffer : IBufferWriter<byte>
    {
        private readonly List<byte> _written = [];
        private byte[] _lent = [];

        public void Advance(int count) => _written.AddRange(_lent.AsSpan(0, count));

        public Memory<byte> GetMemory(int sizeHint = 0) => _lent = new byte[Math.Max(1, sizeHint)];

        public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;

        public override string ToString() => Encoding.UTF8.GetString([.. _written]);
    }
}
