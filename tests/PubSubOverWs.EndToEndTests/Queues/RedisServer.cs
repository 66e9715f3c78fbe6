using System.Diagnostics;
using PubSubOverWs.Queues;

namespace PubSubOverWs.EndToEndTests.Queues;

/// <summary>A Redis that writes what it takes to its disk before it answers.</summary>
public sealed class RedisServer() : BrokerProcess("redis", Needed.Redis)
{
    public override IQueue Connect(Uri address) => new RedisQueue(
        new RedisOptions { Url = new Uri($"redis://{address.Authority}"), RequestTimeout = TimeSpan.FromSeconds(5) }, TimeProvider.System);

    protected override ProcessStartInfo Command() => new(
        "redis-server",
        [
            "--port", $"{Port}", "--bind", "127.0.0.1", "--protected-mode", "no",
            "--dir", Folder, "--save", "", "--appendonly", "yes", "--appendfsync", "always",
        ]);
}
