using System.ComponentModel.DataAnnotations;

namespace PubSubOverWs.Queues;

/// <summary>Where Redis is, and who asks. Bound from the section <c>Redis</c>.</summary>
public sealed class RedisOptions() : QueueServerOptions("redis://127.0.0.1:6379", "user, password and database", "redis", "rediss")
{
    /// <summary>The number of the database: 0 to 15, unless the server has more.</summary>
    [Range(0, 1_000_000)]
    public int Database { get; set; }

    /// <summary>Null or empty: the default user.</summary>
    public string? User { get; set; }
}
