using System.Net;
using System.Net.Sockets;
using Microsoft.Extensions.Options;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Access;

public sealed class ListenRuleTests
{
    public static TheoryData<EndPoint, bool> EndPoints => new()
    {
        { new IPEndPoint(IPAddress.Loopback, 8080), true },
        { new IPEndPoint(IPAddress.Parse("127.0.0.9"), 8080), true },
        { new IPEndPoint(IPAddress.IPv6Loopback, 8080), true },
        { new UnixDomainSocketEndPoint("relay.sock"), true },
        { new IPEndPoint(IPAddress.Any, 8080), false },
        { new IPEndPoint(IPAddress.IPv6Any, 8080), false },
        { new IPEndPoint(IPAddress.Parse("10.0.0.1"), 8080), false },
        { new DnsEndPoint("localhost", 8080), false },
    };

    [Theory]
    [MemberData(nameof(EndPoints))]
    public void Without_users_only_addresses_of_this_machine_are_allowed_and_with_users_all_are(EndPoint endPoint, bool isAllowed)
    {
        using var folder = new AccessFolder();
        new Gate(Options.Create(folder.Options), new FakeTime()).CheckListen(endPoint);

        var open = new Gate(Options.Create(new AccessOptions()), new FakeTime());
        var refusal = Xunit.Record.Exception(() => open.CheckListen(endPoint)) as StartFailedException;

        Assert.Equal(isAllowed, refusal is null);
        Assert.Contains("Access:UsersFile", refusal?.Message ?? "Access:UsersFile", StringComparison.Ordinal);
    }
}
