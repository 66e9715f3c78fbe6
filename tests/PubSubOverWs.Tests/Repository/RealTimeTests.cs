using System.Text.RegularExpressions;

namespace PubSubOverWs.Tests.Repository;

/// <summary>
/// Only end-to-end tests, the contract of SQS and benchmarks may depend on real time or open sockets; here is what else does, and why. A
/// test that needs either belongs in <c>tests/PubSubOverWs.EndToEndTests</c>, not in this list.
/// </summary>
public sealed partial class RealTimeTests
{
    // Clients of the load runner open sockets and stamp what comes by the system's clock: a server in this process answers by a script.
    private static readonly string[] Loads =
        ["tests/PubSubOverWs.Tests/LoadTest/Harness/Workloads/", "tests/PubSubOverWs.Tests/LoadTest/Experiments/"];

    private static readonly Dictionary<string, string> Exceptions = new()
    {
        ["Fuzz/Framing/FramingTarget.cs"] = "a limit for what hangs",
        ["Fuzz/Framing/HandshakeTarget.cs"] = "a limit for what hangs",
        ["Fuzz/Framing/MemoryServer.cs"] = "Kestrel gets its connections from memory, or from loopback for what is said of sockets",
        ["Fuzz/FuzzRun.cs"] = "a limit for what hangs, and how many inputs a second the long run takes",
        ["Fuzz/LiveBytes.cs"] = "the long run waits until the framework's pools have given back what nobody took; tests do not wait",
        ["LoadTest/Harness/Clients/Scripts/ScriptedServer.cs"] = "the server of the tests of workloads, on a free port of loopback",
        ["LoadTest/Harness/Network/FaultProxyTests.cs"] = "a listener is bound to loopback only when it is really bound",
        ["LoadTest/Harness/Workers/Joining/JoinListenerTests.cs"] = "who may join a run is tried over the sockets of the system",
        ["LocalSqs/Protocol/CallerTests.cs"] = "the system is asked whether the other side of a socket is gone",
        ["Relay/Sockets/LoopbackServer.cs"] = "what is said of sockets is tried over the sockets of the system, by its clock",
        ["Relay/Transport/SocketPair.cs"] = "what the lean front end has in place of pipes is tried over the sockets of the system",
        ["Repository/CloneScriptTests.cs"] = "a shell script is tried as it is, in a process",
        ["Repository/MakeSecretsTests.cs"] = "a shell script is tried as it is, in a process",
        ["Waiting.cs"] = "the limit after which a wait is in vain",
    };

    [Fact]
    public void Tests_depend_on_no_real_time_and_no_network_but_for_those_with_a_reason() => Assert.Equal(
        Exceptions.Keys.Order(StringComparer.Ordinal),
        Files("tests/PubSubOverWs.Tests").Where(path => RealTime().IsMatch(Code(path)) || Waits().IsMatch(Code(path)))
            .Where(path => !(Loads.Any(folder => path.StartsWith(folder, StringComparison.Ordinal))
                && Code(path).Contains("ScriptedServer.StartAsync(")))
            .Select(path => path["tests/PubSubOverWs.Tests/".Length..]));

    [Fact]
    public void Only_the_harness_waits_by_looking_again_in_all_tests() => Assert.Equal(
        ["tests/PubSubOverWs.Tests/Fuzz/LiveBytes.cs", "tests/PubSubOverWs.Tests/Waiting.cs"],
        Files("tests").Where(path => Waits().IsMatch(Code(path))));

    private static IEnumerable<string> Files(string folder) =>
        SourceTree.Files(folder, ".cs").Where(path => !path.EndsWith($"/{nameof(RealTimeTests)}.cs", StringComparison.Ordinal));

    private static string Code(string path) => string.Join(
        '\n', SourceTree.Lines(path).Where(line => !line.TrimStart().StartsWith("//", StringComparison.Ordinal)));

    // A delay on a clock of the test's own is no wait.
    [GeneratedRegex(@"Task\.Yield\(|Task\.Delay\((?!.*\b_?time\b)|Thread\.(Sleep|Yield|SpinWait)\(|SpinWait|Thread\.Join\(")]
    private static partial Regex Waits();

    [GeneratedRegex(@"TimeProvider\.System\b(?!\.TimestampFrequency)|Stopwatch\.(GetTimestamp|StartNew)\(|new Stopwatch\("
        + @"|CancellationTokenSource\((?!\))|\.CancelAfter\(|\.WaitAsync\((TimeSpan|Limit|Patience)"
        + @"|new (TcpListener|TcpClient|Socket|HttpClient|ClientWebSocket|ProxyListener)\(|UseUrls\(|UseKestrel\(|Process\.Start\(")]
    private static partial Regex RealTime();
}
