using System.Text.Json;
using System.Text.RegularExpressions;
using Microsoft.Extensions.Hosting;
using PubSubOverWs.LoadTest.Commands;
using PubSubOverWs.PubSubServer;
using PubSubOverWs.Record.Formats;
using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;
using PubSubOverWs.Tests.LoadTest.Commands;

namespace PubSubOverWs.Tests.Repository;

/// <summary>docker-compose.yml and the Dockerfile, held against the code: nothing here starts a container.</summary>
public sealed class ComposeTests
{
    private const string CredentialsVariable = "AWS_SHARED_CREDENTIALS_FILE";
    private const string Script = "docker/make-secrets.sh";
    private const string MadeFolder = "docker/secrets/";

    /// <summary>Variables that are not ours, but those of AWS and of LocalStack.</summary>
    private static readonly string[] Foreign = ["AWS_REGION", CredentialsVariable, "SERVICES"];

    private static readonly string[] Servers = ["direct", "pubsub"];

    private static readonly ComposeFile Compose = ComposeFile.Read();

    [Fact]
    public void The_services_are_the_queue_both_servers_and_the_load_runner() =>
        Assert.Equal(["direct", "loadtest", "localstack", "pubsub"], Compose.Services.Keys.Order());

    [Fact]
    public void LocalStack_is_the_one_that_the_tests_run_against()
    {
        var tested = Regex.Match(SourceTree.Read("tests/PubSubOverWs.LocalStackTests/QueueServer.cs"), "Image = \"(?<image>[^\"]+)\"");

        Assert.Equal(tested.Groups["image"].Value, Compose.Services["localstack"].Image);
        Assert.Matches(@"^localstack/localstack:\d+\.\d+\.\d+$", Compose.Services["localstack"].Image);
    }

    [Fact]
    public void Every_image_of_ours_is_a_stage_of_the_dockerfile_that_starts_a_project_of_ours()
    {
        Assert.All(Compose.Services.Values, service => Assert.NotEqual(service.Image is null, service.Build is null));
        Assert.All(OfOurs(), service =>
        {
            Assert.Equal(".", service.Build!["context"]);
            Assert.Contains(Path.GetFileNameWithoutExtension(Stage(service).Program), SourceTree.Projects.Keys);
        });
    }

    [Fact]
    public void The_dockerfile_publishes_and_copies_existing_projects_and_folders()
    {
        var build = DockerStage.All["build"].Text;
        var published = Regex.Match(build, @"dotnet publish (?<project>\S+)").Groups["project"].Value;
        var folders = SourceTree.Projects["PubSubOverWs.LoadTest"].Descendants("ProjectReference")
            .Where(reference => reference.Attribute("Server") is not null)
            .ToDictionary(
                reference => (string)reference.Attribute("Server")!,
                reference => $"{Path.GetFileNameWithoutExtension((string)reference.Attribute("Include")!)}.dll");

        Assert.True(File.Exists(Path.Combine(SourceTree.Root, published)), published);
        Assert.All(Servers, name => Assert.Equal(folders[name], DockerStage.All[name].Program));
        Assert.All(Servers, name => Assert.Contains($"COPY --from=build /published/servers/{name} .", DockerStage.All[name].Text));
    }

    [Fact]
    public void Images_that_run_are_chiseled_and_have_the_runtime_that_the_projects_target()
    {
        var target = Regex.Match(SourceTree.Read("Directory.Build.props"), "<TargetFramework>net(?<version>[0-9.]+)<").Groups["version"]
            .Value;

        Assert.All(OfOurs(), service => Assert.Equal($"mcr.microsoft.com/dotnet/aspnet:{target}-noble-chiseled", Stage(service).From));
        Assert.Equal($"mcr.microsoft.com/dotnet/sdk:{target}-noble", DockerStage.All["build"].From);
    }

    [Fact]
    public void Every_variable_sets_something_that_exists() => Assert.All(Compose.Services, service =>
        Assert.All(service.Value.Environment.Keys.Except(Foreign),
            name => Assert.True(IsOption(name) || IsSetting(name), $"{service.Key} sets {name}.")));

    [Fact]
    public void Addresses_name_a_service_and_the_port_that_it_listens_on()
    {
        var addresses = Compose.Services.Values.SelectMany(service => service.Environment.Values)
            .Where(value => value.StartsWith("http:", StringComparison.Ordinal));

        Assert.Equal(4, addresses.Count());
        Assert.All(addresses, address => Assert.Equal(PortOf(new Uri(address).Host), $"{new Uri(address).Port}"));
    }

    [Fact]
    public void Published_ports_are_those_that_are_listened_on_and_on_this_machine_only() => Assert.All(
        Compose.Services.Where(service => service.Value.Ports.Count > 0),
        service => Assert.Matches($@"^127\.0\.0\.1:\d+:{PortOf(service.Key)}$", Assert.Single(service.Value.Ports)));

    [Fact]
    public void The_servers_ask_themselves_for_their_health_and_LocalStack_is_asked_at_its_address()
    {
        foreach (var name in Servers)
            Assert.Equal(["CMD", "dotnet", Stage(Compose.Services[name]).Program, HealthMode.Flag], Compose.Services[name].HealthCommand);
        Assert.Equal("http://localhost:4566/_localstack/health", Compose.Services["localstack"].HealthCommand[^1]);
    }

    [Fact]
    public void A_service_that_needs_another_waits_until_that_is_healthy()
    {
        var needed = Compose.Services.ToDictionary(
            service => service.Key,
            service =>
                service.Value.DependsOn.Where(other => other.Value["condition"] == "service_healthy").Select(other => other.Key).Order());

        Assert.Equal(["localstack"], needed["pubsub"]);
        Assert.Equal(Servers, needed["loadtest"]);
        Assert.All(needed.Values.SelectMany(names => names), name => Assert.NotEmpty(Compose.Services[name].HealthCommand));
    }

    [Fact]
    public void Secrets_are_files_that_are_here_or_made_by_the_script_and_kept_out_of_repository_and_images()
    {
        var files = Compose.Secrets.Values.Select(secret => secret.File).ToArray();
        var made = files.Where(file => file.StartsWith(MadeFolder, StringComparison.Ordinal)).ToArray();

        Assert.All(files.Except(made), file => Assert.True(File.Exists(Path.Combine(SourceTree.Root, file)), file));
        Assert.Equal(["docker/secrets/passcode", "docker/secrets/stats-token", "docker/secrets/users.json"], made.Order());
        Assert.All(made,
            file => Assert.Contains($">\"$made/{file[MadeFolder.Length..]}\"\n", SourceTree.Read(Script), StringComparison.Ordinal));
        Assert.Contains(MadeFolder, SourceTree.Lines(".gitignore"));
        Assert.Contains(MadeFolder.TrimEnd('/'), SourceTree.Lines(".dockerignore"));
    }

    [Fact]
    public void Every_service_is_told_where_its_secrets_are_and_has_no_other() => Assert.All(Compose.Services.Values, service =>
        Assert.Equal(
            service.Secrets.Order().Select(secret => $"/run/secrets/{secret}"),
            service.Environment.Values.Where(value => value.StartsWith("/run/", StringComparison.Ordinal)).Order()));

    [Fact]
    public void Secrets_of_services_are_secrets_of_the_file_and_the_keys_are_in_the_form_of_AWS()
    {
        Assert.All(Compose.Services.Values.SelectMany(service => service.Secrets), secret => Assert.Contains(secret, Compose.Secrets.Keys));
        Assert.All(Compose.Services.Where(service => service.Value.Secrets.Contains("aws-credentials")),
            service => Assert.Equal("/run/secrets/aws-credentials", service.Value.Environment[CredentialsVariable]));
    }

    [Fact]
    public void Servers_have_users_and_a_token_for_stats() => Assert.All(Servers, name =>
    {
        Assert.Equal("/run/secrets/users", Compose.Services[name].Environment[$"Access__{nameof(AccessOptions.UsersFile)}"]);
        Assert.Equal("/run/secrets/stats-token", Compose.Services[name].Environment[$"Access__{nameof(AccessOptions.StatsTokenFile)}"]);
    });

    [Fact]
    public void The_script_makes_the_user_of_the_load_runner_with_the_permissions_that_a_run_needs()
    {
        var words = Regex.Match(SourceTree.Read(Script), "users (?<words>add .*?) <").Groups["words"].Value.Split(' ');
        using var passcode = new StringReader("a passcode");
        using var file = new StringWriter();

        UsersAdd.Parse(words).Run(passcode, file);

        var user = Assert.Single(JsonSerializer.Deserialize(file.ToString(), UsersJson.Default.UsersDocument)!.Users);
        Assert.Equal(Compose.Services["loadtest"].Environment["PUBSUBOVERWS_LOGIN"], user.Login);
        Assert.Equal(["/"], user.Publish);
        Assert.Equal(["/"], user.Subscribe);
    }

    [Fact]
    public void Containers_of_ours_write_nowhere_but_in_tmp_and_have_no_right_of_root() => Assert.All(OfOurs(), service =>
        Assert.Equal(
            (true, "/tmp", "ALL", "no-new-privileges:true"),
            (service.ReadOnly, Assert.Single(service.Tmpfs), Assert.Single(service.CapDrop), Assert.Single(service.SecurityOpt))));

    [Fact]
    public void Docker_waits_longer_for_a_server_to_stop_than_the_server_takes() => Assert.All(
        OfOurs(), service => Assert.True(Duration.Parse(service.StopGracePeriod!) > new HostOptions().ShutdownTimeout));

    private static IEnumerable<ComposeService> OfOurs() => Compose.Services.Values.Where(service => service.Build is not null);

    private static DockerStage Stage(ComposeService service) => DockerStage.All[service.Build!["target"]];

    private static string? PortOf(string service) => service == "localstack" ? "4566" : Stage(Compose.Services[service]).Port;

    private static bool IsOption(string variable) =>
        RunCommand.Create(new TestTerminal().Terminal).Options.Any(option => Variables.NameOf(option.Name) == variable);

    private static bool IsSetting(string variable) => variable.Split("__") switch
    {
        ["Access", var name] => typeof(AccessOptions).GetProperty(name) is not null,
        ["Relay", var name] => typeof(RelayOptions).GetProperty(name) is not null,
        ["Sqs", var name] => typeof(SqsOptions).GetProperty(name) is not null,
        ["Queue", var name] => typeof(QueueBrokerOptions).GetProperty(name) is not null,
        _ => false,
    };
}
