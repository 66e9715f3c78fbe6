namespace PubSubOverWs.Tests.Repository;

/// <summary>A secret of docker-compose.yml: a file that only containers see.</summary>
public sealed class ComposeSecret
{
    public string File { get; set; } = "";
}
