using FsCheck;
using FsCheck.Experimental;
using PubSubOverWs.Tests.LocalSqs;

namespace PubSubOverWs.Tests.Fuzz.Model;

/// <summary>
/// Publish, deliver, acknowledge, give back, crash and wait in any order: LocalSqs does what a queue should, and so does the broker over
/// it.
/// </summary>
public sealed class QueueModelTests
{
    private static readonly Config Some = Config.QuickThrowOnFailure.WithMaxTest(15);

    [Fact]
    public void LocalSqs_loses_nothing_and_redelivers_only_unacknowledged_messages() =>
        StateMachine.ToProperty(new QueueSteps()).QuickCheckThrowOnFailure();

    [Fact]
    public async Task The_broker_loses_nothing_and_redelivers_only_unacknowledged_messages()
    {
        var queues = new LocalSqsHost();
        await queues.InitializeAsync();
        try
        {
            // Without the context of a test method, whose few threads the steps would wait for.
            await Task.Run(() => StateMachine.ToProperty(new BrokerSteps(queues)).Check(Some));
        }
        finally
        {
            await queues.DisposeAsync();
        }
    }
}
