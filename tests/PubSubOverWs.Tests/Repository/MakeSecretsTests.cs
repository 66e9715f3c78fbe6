using System.Diagnostics;

namespace PubSubOverWs.Tests.Repository;

/// <summary>docker/make-secrets.sh with another program in Docker's place.</summary>
public sealed class MakeSecretsTests : IDisposable
{
    private static readonly string[] Made = ["passcode", "stats-token", "users.json"];

    private readonly string _folder = Directory.CreateTempSubdirectory("secrets-").FullName;

    [UnixFact]
    public void All_secrets_are_replaced_if_the_image_is_built_and_none_if_it_is_not()
    {
        Assert.Equal(0, Run("cat"));
        var first = Secrets();
        Assert.Equal(Made, first.Keys.Order());
        Assert.Equal(first["passcode"], first["users.json"]);

        Assert.NotEqual(0, Run("false"));
        Assert.Equal(first, Secrets());

        Assert.Equal(0, Run("cat"));
        Assert.All(Secrets(), secret => Assert.NotEqual(first[secret.Key], secret.Value));
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    /// <param name="users">What does the work of <c>users add</c>, once an image was built.</param>
    private int Run(string users)
    {
        Write("docker/make-secrets.sh", SourceTree.Read("docker/make-secrets.sh"));
        var docker = Write(
            "bin/docker", $"#!/bin/sh\n[ {users} = false ] && exit 1\n[ \"$1\" = build ] && echo image && exit 0\n{users}\n");
#pragma warning disable CA1416 // Run returns before it comes here on Windows.
        File.SetUnixFileMode(docker, UnixFileMode.UserRead | UnixFileMode.UserExecute);
#pragma warning restore CA1416
        var start = new ProcessStartInfo("sh", [Path.Combine(_folder, "docker/make-secrets.sh")]);
        start.Environment["PATH"] = $"{Path.GetDirectoryName(docker)}:{start.Environment["PATH"]}";
        using var process = Process.Start(start)!;
        process.WaitForExit();
        File.Delete(docker);
        return process.ExitCode;
    }

    private string Write(string name, string text)
    {
        var path = Path.Combine(_folder, name);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllText(path, text);
        return path;
    }

    private Dictionary<string, string> Secrets() => Directory.GetFileSystemEntries(Path.Combine(_folder, "docker/secrets"))
        .ToDictionary(path => Path.GetFileName(path), File.ReadAllText);
}
