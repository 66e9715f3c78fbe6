using System.Net;
using PubSubOverWs.LoadTest.Harness.Machine;

namespace PubSubOverWs.Tests.LoadTest.Harness.Machine;

public sealed class AddressSpreadTests
{
    [Theory]
    [InlineData(0, "127.0.0.2")]
    [InlineData(999, "127.0.0.2")]
    [InlineData(1000, "127.0.0.3")]
    [InlineData(249_999, "127.0.0.251")]
    [InlineData(250_000, "127.0.0.2")]
    public void Every_thousand_connections_have_an_address(long connection, string address) =>
        Assert.Equal(IPAddress.Parse(address), AddressSpread.At(connection));

    [Fact]
    public void No_address_is_that_of_the_servers() =>
        Assert.DoesNotContain(IPAddress.Loopback, Enumerable.Range(0, 250).Select(i => AddressSpread.At(i * AddressSpread.PerAddress)));

    [Fact]
    public void Processes_that_connect_at_once_begin_at_addresses_that_are_far_apart() => Assert.Equal(
        ["127.0.0.2", "127.0.0.64", "127.0.0.127", "127.0.0.189"],
        Enumerable.Range(0, 4).Select(process => $"{AddressSpread.At(AddressSpread.FirstOf(process, 4))}"));

    [Theory]
    [InlineData("127.0.0.1", true, true)]
    [InlineData("127.0.0.1", false, false)] // macOS
    [InlineData("192.0.2.1", true, false)]
    [InlineData("::1", true, false)]
    public void Only_loopback_targets_are_met_from_spread_addresses(string target, bool hasWholeLoopbackNet, bool applies) =>
        Assert.Equal(applies, AddressSpread.Applies(IPAddress.Parse(target), hasWholeLoopbackNet));
}
