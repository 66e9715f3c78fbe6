using System.CommandLine;
using PubSubOverWs.LoadTest.Harness;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary>The record folders of a command that takes one or more, each by itself.</summary>
public static class RecordArgument
{
    public static Argument<string[]> Create() => new("DIR")
    { Arity = ArgumentArity.OneOrMore, Description = "a record folder, such as results/paper/TIME, or several" };

    /// <summary>Does the work in each folder, in order. Of several, a refusal names its folder, and the others go on.</summary>
    /// <returns>The largest exit code.</returns>
    public static async Task<int> EachAsync(string[] folders, Terminal terminal, Func<string, Task<ExitCode>> work)
    {
        if (folders is [var only])
            return (int)await work(only);
        var worst = ExitCode.Success;
        foreach (var folder in folders)
        {
            var code = ExitCode.Success;
            try
            {
                code = await work(folder);
            }
            catch (Exception refused) when (CommandLine.CodeOf(refused) is not ExitCode.Crash)
            {
                code = CommandLine.CodeOf(refused);
                await terminal.Error.WriteLineAsync($"{folder}: {refused.Message}");
            }
            worst = code > worst ? code : worst;
        }
        return (int)worst;
    }
}
