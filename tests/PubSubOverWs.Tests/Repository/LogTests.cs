using System.Reflection;
using Microsoft.Extensions.Logging;
using PubSubOverWs.LocalSqs;
using PubSubOverWs.PubSubServer;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Repository;

/// <summary>Filters and alerts go by the number of a log event: each means one thing in a process.</summary>
public sealed class LogTests
{
    // A pubsub server has those of the relay, too.
    private static readonly Dictionary<string, (Assembly Assembly, int First, int Last)> Numbers = new()
    {
        ["Relay"] = (typeof(RelayOptions).Assembly, 1, 99),
        ["PubSubServer"] = (typeof(SqsBroker).Assembly, 100, 199),
        ["LocalSqs"] = (typeof(LocalSqsServer).Assembly, 1, 99),
    };

    public static TheoryData<string> Projects => [.. Numbers.Keys];

    [Theory]
    [MemberData(nameof(Projects))]
    public void Each_log_event_of_a_project_has_a_number_of_its_own(string project)
    {
        var (assembly, first, last) = Numbers[project];
        var events = assembly.GetTypes()
            .SelectMany(type => type.GetMethods(BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic))
            .Select(method => method.GetCustomAttribute<LoggerMessageAttribute>()?.EventId).OfType<int>().ToArray();

        Assert.NotEmpty(events);
        Assert.Equal(events.Distinct(), events);
        Assert.All(events, number => Assert.InRange(number, first, last));
    }
}
