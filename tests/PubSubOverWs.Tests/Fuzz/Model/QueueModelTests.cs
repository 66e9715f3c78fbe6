using FsCheck;
using FsCheck.Experimental;

namespace PubSubOverWs.Tests.Fuzz.Model;

/// <summary>Publish, deliver, acknowledge, give back, crash and wait in any order: LocalSqs does what a queue should.</summary>
public sealed class QueueModelTests
{
    [Fact]
    public void LocalSqs_loses_nothing_and_delivers_again_only_what_was_not_acknowledged() =>
        StateMachine.ToProperty(new QueueSteps()).QuickCheckThrowOnFailure();
}
