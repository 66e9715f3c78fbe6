using PubSubOverWs.LoadTest.Harness.Machine;

namespace PubSubOverWs.Tests.LoadTest.Harness.Machine;

public sealed class ProcFilesTests
{
    [Fact]
    public void The_limits_file_tells_soft_and_hard_open_files() => Assert.Equal((1024, 524288), ProcFiles.OpenFiles(
    [
        "Limit                     Soft Limit           Hard Limit           Units",
        "Max processes             94871                94871                processes",
        "Max open files            1024                 524288               files",
    ]));

    [Fact]
    public void Unlimited_is_the_highest_number() =>
        Assert.Equal(
            (1024, long.MaxValue), ProcFiles.OpenFiles(["Max open files            1024                 unlimited            files"]));

    [Fact]
    public void The_port_range_counts_both_its_ends() => Assert.Equal(28232, ProcFiles.PortCount(["32768\t60999"]));

    [Fact]
    public void Available_memory_is_in_bytes() =>
        Assert.Equal(2048L, ProcFiles.AvailableMemory(["MemTotal:       4 kB", "MemAvailable:          2 kB"]));

    [Fact]
    public void A_missing_file_says_nothing()
    {
        Assert.Null(ProcFiles.OpenFiles([]));
        Assert.Null(ProcFiles.PortCount([]));
        Assert.Null(ProcFiles.AvailableMemory([]));
    }
}
