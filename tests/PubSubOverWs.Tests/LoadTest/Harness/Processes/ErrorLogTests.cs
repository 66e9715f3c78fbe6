using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.Tests.LoadTest.Harness.Processes;

public sealed class ErrorLogTests
{
    [Fact]
    public async Task Only_the_last_twenty_lines_are_kept_in_memory()
    {
        var log = new ErrorLog();

        await log.ReadAllAsync(new StringReader(string.Join('\n', Enumerable.Range(1, 100))));

        Assert.Equal(Enumerable.Range(81, 20).Select(number => $"{number}"), log.LastLines);
    }

    [Fact]
    public async Task The_frames_of_a_stack_trace_do_not_push_the_reason_out()
    {
        var log = new ErrorLog();

        await log.ReadAllAsync(
            new StringReader("IOException: address already in use\n" + string.Concat(Enumerable.Repeat("   at Some.Frame()\n", 50))));

        Assert.Equal(["IOException: address already in use"], log.LastLines);
    }
}
