using System.Diagnostics;
using System.Globalization;
using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.EndToEndTests.Load;

public sealed class SessionProcessTests
{
    [LinuxTheory]
    [InlineData("-TERM")]
    [InlineData("-KILL")]
    public async Task It_ends_with_its_owner_after_a_signal_to_the_shells_above_it(string signal)
    {
        var time = new FakeTime();
        var folder = Directory.CreateTempSubdirectory("session-").FullName;
        var session = await SessionProcess.StartAsync("sleep", folder, ["sleep", "600"], time, CancellationToken.None);
        using (var kill = Process.Start("kill", [signal, .. ShellsAbove(session.Id)]))
            await kill.WaitForExitAsync();

        await session.DisposeAsync().AsTask().WhileAsync(() => time.Advance(TimeSpan.FromSeconds(1)));

        await Waiting.UntilAsync(() => Stat(session.Id) is null or ["Z", ..]);
        Assert.False(Directory.Exists(folder));
    }

    // One waits for the program, and one below it for the end of the input.
    private static IEnumerable<string> ShellsAbove(int program)
    {
        var shell = Stat(program)![1];
        return
        [
            shell,
            .. from folder in Directory.EnumerateDirectories("/proc")
               where int.TryParse(Path.GetFileName(folder), out var id) && id != program && Stat(id)?[1] == shell
               select Path.GetFileName(folder),
        ];
    }

    // The state of a process, its parent, and so on; null: it is gone.
    private static string[]? Stat(int process)
    {
        var file = string.Create(CultureInfo.InvariantCulture, $"/proc/{process}/stat");
        try
        {
            var stat = File.ReadAllText(file);
            return stat[(stat.LastIndexOf(')') + 2)..].Split(' ');
        }
        catch (IOException)
        {
            return null;
        }
    }
}
