using PubSubOverWs.LoadTest.Commands;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.LoadTest.Bench;

/// <summary>Starts the processes that the bench compares.</summary>
internal static class BenchChildren
{
    public static Task<ChildServer> StartDirectAsync(BenchPlan plan, CancellationToken cancellationToken) =>
        StartDirectAsync(plan, environment: null, [], cancellationToken);

    public static Task<ChildServer> StartDirectAsync(
        BenchPlan plan, IReadOnlyDictionary<string, string>? environment, string[] settings, CancellationToken cancellationToken) =>
        ChildServer.StartAsync(
            DirectTarget.Program.Command(environment, [.. FrontEnd(plan), .. settings]), new ChildOptions(), cancellationToken);

    public static Task<ChildServer> StartEchoAsync(CancellationToken cancellationToken) => StartEchoAsync([], cancellationToken);

    public static Task<ChildServer> StartEchoAsync(string[] settings, CancellationToken cancellationToken)
    {
        var command = NullEcho.ChildCommand;
        return ChildServer.StartAsync(
            command with { Arguments = [.. command.Arguments, .. settings] }, new ChildOptions(), cancellationToken);
    }

    public static Task<ChildServer> StartQueueAsync(CancellationToken cancellationToken) =>
        ChildServer.StartAsync(SqsPrograms.LocalSqs.Command(), new ChildOptions(), cancellationToken);

    public static Task<ChildServer> StartPubSubAsync(ChildServer queue, BenchPlan plan, CancellationToken cancellationToken) =>
        StartPubSubAsync(queue, plan, environment: null, [], cancellationToken);

    public static Task<ChildServer> StartPubSubAsync(
        ChildServer queue, BenchPlan plan, IReadOnlyDictionary<string, string>? environment, string[] settings,
        CancellationToken cancellationToken) => ChildServer.StartAsync(
        PubSubTarget.Program.Command(
            environment,
            [
                "--Sqs:Endpoint", queue.Address.ToString(), "--Sqs:Queue", "bench", "--Sqs:Region", "us-east-1", "--Sqs:AccessKey", "test",
                "--Sqs:SecretKey", "test",
                "--Sqs:WaitTime", "00:00:05", "--Sqs:Sending:Pack", plan.Pack.ToString(CultureInfo.InvariantCulture),
                "--Sqs:Client", (plan.SqsClient ?? SqsClients.Default).ToString(), .. FrontEnd(plan), .. settings,
            ]),
        new ChildOptions(),
        cancellationToken);

    private static string[] FrontEnd(BenchPlan plan) => ["--Relay:FrontEnd", plan.FrontEnd];
}
