using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness;

namespace PubSubOverWs.Tests.Repository;

/// <summary>The script of a clone with another program in the place of <c>dotnet</c>.</summary>
public sealed class CloneScriptTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("clone-").FullName;

    [UnixFact]
    public void The_script_builds_in_the_clone_and_runs_in_the_folder_of_the_caller()
    {
        var (code, output, error) = Run("echo \"$1 in $(pwd): $*\" | tee -a ../calls", "run", "smoke", "--label", "two words");

        var project = Path.Combine(_folder, "clone", "loadtest", "PubSubOverWs.LoadTest");
        var program = Path.Combine(_folder, "clone", "artifacts/bin/PubSubOverWs.LoadTest/release/PubSubOverWs.LoadTest.dll");
        Assert.Equal(0, code);
        // Only the program writes to standard output, which may be a document.
        Assert.Equal($"exec in {_folder}/elsewhere: exec {program} run smoke --label two words\n", output);
        Assert.StartsWith(
            $"build in {_folder}/elsewhere: build {project} -c Release ", File.ReadAllLines(Path.Combine(_folder, "calls"))[0],
            StringComparison.Ordinal);
        // A build that succeeds has nothing to say.
        Assert.DoesNotContain("build in", error, StringComparison.Ordinal);
    }

    [UnixFact]
    public void A_build_that_takes_long_is_announced_and_one_with_nothing_to_do_is_not()
    {
        const string dotnet = "true";
        Assert.StartsWith("Building pubsub-over-ws, which takes some minutes the first time ...", Run(dotnet).Error);

        Write("clone/artifacts/bin/PubSubOverWs.LoadTest/release/PubSubOverWs.LoadTest.dll", "");
        var source = Write("clone/src/a.cs", "");
        var other = Write("clone/loadtest/b.cs", "");
        Assert.StartsWith("Building what has changed ...", Run(dotnet).Error);

        var built = File.GetLastWriteTimeUtc(Path.Combine(_folder, "clone", "artifacts", "pubsub-over-ws.built"));
        File.SetLastWriteTimeUtc(source, built.AddHours(-1));
        File.SetLastWriteTimeUtc(other, built.AddHours(-1));
        Assert.Equal("", Run(dotnet).Error);

        File.SetLastWriteTimeUtc(source, built.AddHours(1));
        Assert.StartsWith("Building what has changed ...", Run(dotnet).Error);
    }

    [UnixFact]
    public void A_build_that_fails_says_why_and_runs_nothing()
    {
        var (code, output, error) = Run("[ \"$1\" = exec ] && echo ran; echo a.cs: error; echo b.cs: error >&2; exit 7", "version");

        Assert.Equal((1, ""), (code, output));
        Assert.EndsWith("a.cs: error\nb.cs: error\n", error, StringComparison.Ordinal);
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    /// <summary>Calls the script through a link, from another folder than that of the clone.</summary>
    private (int Code, string Output, string Error) Run(string dotnet, params string[] arguments)
    {
        var link = Path.Combine(_folder, "bin", "link");
        if (!File.Exists(link))
        {
            var script = Write($"clone/{ThisProgram.Name}", SourceTree.Read(ThisProgram.Name));
            Write("bin/dotnet", $"#!/bin/sh\n{dotnet}\n");
            File.CreateSymbolicLink(link, script);
        }

        var start = new ProcessStartInfo("sh", [link, .. arguments])
        {
            WorkingDirectory = Directory.CreateDirectory(Path.Combine(_folder, "elsewhere")).FullName,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        start.Environment["PATH"] = $"{Path.GetDirectoryName(link)}:{start.Environment["PATH"]}";
        using var process = Process.Start(start)!;
        // Both at once: a full pipe that nobody reads would stop the script.
        var error = process.StandardError.ReadToEndAsync();
        var output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return (process.ExitCode, output, error.GetAwaiter().GetResult());
    }

    private string Write(string name, string text)
    {
        var path = Path.Combine(_folder, name);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllText(path, text);
#pragma warning disable CA1416 // No test comes here on Windows.
        File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserExecute);
#pragma warning restore CA1416
        return path;
    }
}
