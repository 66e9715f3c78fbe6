using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.Tests.LoadTest.Harness.Processes;

public sealed class DotnetHostTests
{
    [Fact]
    public void The_host_that_runs_this_program_is_taken() =>
        Assert.Equal("/opt/dotnet/dotnet", DotnetHost.Find("/opt/dotnet/dotnet", "/elsewhere/shared/Microsoft.NETCore.App/10.0.0/"));

    [Fact]
    public void A_program_with_a_host_of_its_own_takes_the_one_beside_its_runtime()
    {
        var root = Directory.CreateTempSubdirectory().FullName;
        var runtime = Directory.CreateDirectory(Path.Combine(root, "shared", "Microsoft.NETCore.App", "10.0.0")).FullName;
        var host = Path.Combine(root, OperatingSystem.IsWindows() ? "dotnet.exe" : "dotnet");
        File.WriteAllText(host, "");

        Assert.Equal(host, DotnetHost.Find("/app/PubSubOverWs.LoadTest", runtime));
    }
}
