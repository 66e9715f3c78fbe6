using PubSubOverWs.LoadTest.Harness.Runs;

namespace PubSubOverWs.Tests.LoadTest.Harness.Runs;

public sealed class MachineDescriptionTests
{
    [Fact]
    public void The_processor_is_named_by_its_model() =>
        Assert.Equal(
            "Some CPU @ 2.00GHz",
            MachineDescription.CpuModel(["processor\t: 0", "model name\t: Some CPU @ 2.00GHz", "model name\t: Some CPU @ 2.00GHz"]));

    [Fact]
    public void Nothing_in_it_names_the_machine_or_its_user()
    {
        var machine = MachineDescription.Make();
        var text = string.Join(' ', [machine.Os, machine.Cpu, machine.Runtime, .. machine.Limits.Values, .. machine.Versions.Values]);

        Assert.DoesNotContain(Environment.MachineName, text, StringComparison.OrdinalIgnoreCase);
        Assert.True(machine.Cores > 0 && machine.MemoryBytes > 0);
    }
}
