using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Machine;
using PubSubOverWs.Record;

namespace PubSubOverWs.Tests.LoadTest.Harness.Machine;

public sealed class RunLockTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("lock-").FullName;

    [Fact]
    public void A_second_run_is_refused_with_the_pid_of_the_first()
    {
        using var first = RunLock.Take(_folder, "paper in /somewhere");

        var refusal = Assert.Throws<RefusalException>(() => RunLock.Take(_folder, "smoke"));

        Assert.Equal(ExitCode.BadUsage, refusal.ExitCode);
        Assert.Contains($"pid {Environment.ProcessId}, paper in /somewhere", refusal.Message);
        Assert.Contains("wait until it ends or stop it", refusal.Message);
    }

    [Fact]
    public void A_lock_that_was_given_back_can_be_taken_again()
    {
        RunLock.Take(_folder, "paper").Dispose();

        Assert.Null(RunLock.HeldBy(_folder));
        using var second = RunLock.Take(_folder, "smoke");
        Assert.Contains("smoke", RunLock.HeldBy(_folder));
    }

    [Fact]
    public void A_lock_file_that_a_killed_run_left_behind_does_not_block_another_run()
    {
        var left = Path.Combine(_folder, $"pubsuboverws-{Environment.UserName}.lock");
        File.WriteAllText(left, "");
        File.WriteAllText(left + ".holder", "pid 999999, paper");

        using var mine = RunLock.Take(_folder, "smoke");

        Assert.Contains($"pid {Environment.ProcessId}, smoke", RunLock.HeldBy(_folder));
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);
}
