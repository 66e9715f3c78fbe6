using System.Diagnostics;
using PubSubOverWs.EndToEndTests.LoadTest;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Report.Claims;
using Xunit.Abstractions;

namespace PubSubOverWs.LocalStackTests;

/// <summary>docker-compose.yml as its guide says, in a clone of what is committed.</summary>
public sealed class ComposeRunTests(ITestOutputHelper output) : IDisposable
{
    /// <summary>What version 1 refuses goes: it asks for health all the time as the others do at the start.</summary>
    private const string ForVersion1 = "sed -i '/^name:/d; /^  interval:/d; s/start_interval/interval/' docker-compose.yml";

    /// <summary>A daemon without CAP_SYS_RESOURCE gives no container more descriptors than it has.</summary>
    private const string WithinLimit = """
        limit=$(ulimit -Hn)
        [ "$limit" = unlimited ] || [ "$limit" -ge 65536 ] || sed -i "s/nofile: 65536/nofile: $limit/" docker-compose.yml
        """;

    private static readonly TimeSpan StopLimit = TimeSpan.FromSeconds(10);

    // A project of its own, beside one that is up.
    private static readonly string Compose = $"{Docker.Compose} --project-name pubsuboverws-test";

    // Not root; otherwise the user who runs the tests, so that the folder can be deleted.
    private static readonly string Run = $"[ $(id -u) = 0 ] || export RUN_AS=$(id -u):$(id -g); {Compose} run -T";

    private readonly TestFolder _folder = new();

    [ComposeFact]
    [Trait("Category", "Long")]
    public async Task The_paper_runs_in_containers_that_may_do_nothing_else_and_end_when_asked()
    {
        await TimeAsync($"git clone --quiet \"$(git -C '{AppContext.BaseDirectory}' rev-parse --show-toplevel)\" .");
        if (Docker.Compose == Docker.ComposeVersion1)
            await TimeAsync(ForVersion1);
        await TimeAsync(WithinLimit);
        try
        {
            await TimeAsync($"docker/make-secrets.sh && {Compose} build direct pubsub loadtest");
            await TimeAsync("rm -r results && mkdir -m 777 results && docker images");
            // Ends when everything is healthy and has been for as long as this takes.
            await TimeAsync($"{Run} --rm loadtest version");
            await CheckRunAsync();
            var stopped = await StartAsync("run paper --quick --out results/stopped");
            await TimeAsync($"docker logs --follow {stopped} | head -n 1");
            foreach (var container in new[] { stopped, await ContainerAsync("pubsub"), await ContainerAsync("direct") })
            {
                var (_, time) = await TimeAsync($"docker stop {container}");
                var (code, _) = await TimeAsync($"docker inspect --format '{{{{.State.ExitCode}}}}' {container}");
                Assert.True(time < StopLimit && code != "137", $"Stopped with {code} after {time}.");
            }
        }
        finally
        {
            await TimeAsync($"{Compose} logs --tail 20; {Compose} down --remove-orphans --rmi local");
        }
    }

    public void Dispose() => _folder.Dispose();

    private async Task CheckRunAsync()
    {
        var run = await StartAsync("run paper --quick --out results/record");
        foreach (var container in new[] { run, await ContainerAsync("pubsub"), await ContainerAsync("direct") })
        {
            const string confined = "{{.HostConfig.ReadonlyRootfs}} {{.HostConfig.CapDrop}} {{.HostConfig.SecurityOpt}}";
            var (settings, _) = await TimeAsync($"docker inspect --format '{confined}' {container}");
            Assert.Equal("true [ALL] [no-new-privileges:true]", settings);
            var (users, _) = await TimeAsync($"docker top {container} -o pid,uid | awk 'NR > 1 {{ print $2 }}'");
            Assert.DoesNotContain("0", users.Split('\n'));
        }

        var (code, _) = await TimeAsync($"docker wait {run}");
        var (log, _) = await TimeAsync($"docker logs {run} 2>&1");
        var record = RecordReader.Read(Path.Combine(_folder.Path, "results", "record"));
        Assert.True(code == (Validity.IsValid(record) ? "0" : "2"), log);
        Assert.True(record.Run.Complete);
        Assert.All(record.Rows, row => Assert.Equal(row.Users, row.Buckets.Delivered + row.Buckets.Late));
    }

    // Without looking at the health of the servers again: on a busy machine a question each second is not always answered in time.
    private async Task<string> StartAsync(string arguments) =>
        (await TimeAsync($"{Run} --no-deps --detach loadtest {arguments}")).Text.Split('\n')[^1].Trim();

    private async Task<string> ContainerAsync(string service) => (await TimeAsync($"{Compose} ps --quiet {service}")).Text;

    private async Task<(string Text, TimeSpan Time)> TimeAsync(string script)
    {
        var begin = Stopwatch.GetTimestamp();
        using var shell = Process.Start(new ProcessStartInfo("sh", ["-c", script])
        {
            WorkingDirectory = _folder.Path,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;
        var error = shell.StandardError.ReadToEndAsync();
        var text = (await shell.StandardOutput.ReadToEndAsync()).Trim();
        await shell.WaitForExitAsync();
        var time = Stopwatch.GetElapsedTime(begin);
        output.WriteLine($"{time.TotalSeconds:0.0} s: {script}\n{text}");
        Assert.True(shell.ExitCode == 0, $"{script} ended with {shell.ExitCode}: {text}\n{await error}");
        return (text, time);
    }
}

/// <summary>Skipped with the reason where Docker cannot run the compose file.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class ComposeFactAttribute : FactAttribute
{
    public ComposeFactAttribute() => Skip = Docker.Missing
        ?? (Docker.Compose is null ? "Needs Docker Compose: install Docker's plugin, or docker-compose 1.29 or newer." : null);
}
