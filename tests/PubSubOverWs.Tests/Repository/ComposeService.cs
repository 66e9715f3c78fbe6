namespace PubSubOverWs.Tests.Repository;

/// <summary>One service of docker-compose.yml.</summary>
public sealed class ComposeService
{
    /// <summary>Null: it is built here.</summary>
    public string? Image { get; set; }

    /// <summary>Null: it is an image of others.</summary>
    public Dictionary<string, string>? Build { get; set; }

    public Dictionary<string, string> Environment { get; set; } = [];

    public List<string> Secrets { get; set; } = [];

    /// <summary>Such as <c>127.0.0.1:5001:8080</c>.</summary>
    public List<string> Ports { get; set; } = [];

    public Dictionary<string, object> Healthcheck { get; set; } = [];

    public bool ReadOnly { get; set; }

    public List<string> Tmpfs { get; set; } = [];

    public List<string> CapDrop { get; set; } = [];

    public List<string> SecurityOpt { get; set; } = [];

    public string? StopGracePeriod { get; set; }

    public Dictionary<string, Dictionary<string, string>> DependsOn { get; set; } = [];

    /// <summary>The program and its arguments; empty: there is no health check.</summary>
    public IReadOnlyList<string> HealthCommand =>
        Healthcheck.TryGetValue("test", out var test) ? [.. ((List<object>)test).Cast<string>()] : [];
}
