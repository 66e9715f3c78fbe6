using FsCheck;
using FsCheck.Experimental;
using FsCheck.Fluent;
using PubSubOverWs.Tests.LocalSqs;
using Step = PubSubOverWs.Tests.Fuzz.Model.ModelStep<PubSubOverWs.Tests.Fuzz.Model.ModelledBroker>;

namespace PubSubOverWs.Tests.Fuzz.Model;

/// <summary>
/// The broker over LocalSqs, step by step beside <see cref="QueueModel"/>: what is visible there is with the client here.
/// </summary>
/// <param name="queues">Shared by all runs, each of which has a queue of its own.</param>
internal sealed class BrokerSteps(LocalSqsHost queues) : Machine<ModelledBroker, QueueModel>(30)
{
    public override Arbitrary<Setup<ModelledBroker, QueueModel>> Setup =>
        Gen.Constant<Setup<ModelledBroker, QueueModel>>(new Fresh(queues)).ToArbitrary();

    public override TearDown<ModelledBroker> TearDown { get; } = new Ended();

    public override Gen<Operation<ModelledBroker, QueueModel>> Next(QueueModel model)
    {
        var settle = model.Held.IsEmpty
            ? []
            : new[]
            {
                Gen.Elements<int>(model.Held).Select(message => new Step(
                    $"acknowledge {message}", m => m.Acknowledge(message),
                    (broker, _, after) => Does(broker, after, () => broker.AcknowledgeAsync(message)), m => m.Held.Contains(message))),
                Gen.Elements<int>(model.Held).Select(message => new Step(
                    $"give back {message}", m => Later(m.GiveBack(message)),
                    (broker, before, after) => Does(broker, after, () => ReturnAsync(broker, message, before)),
                    m => m.Held.Contains(message))),
            };
        Gen<Step>[] steps =
        [
            Gen.Constant(
                new Step("publish", m => m.Publish().Deliver(), (broker, _, after) => Does(broker, after, broker.PublishAsync),
                    m => m.HiddenUntil.Count < 10)),
            Gen.Constant(new Step("crash", m => m.Crash(), (broker, _, after) => Does(broker, after, broker.CrashAsync), _ => true)),
            Gen.Constant(
                new Step("wait", Later, (broker, before, after) => Does(broker, after, () => broker.WaitAsync(before.Held.Count)),
                    _ => true)),
            .. settle,
        ];
        return Gen.OneOf(steps).Select(step => (Operation<ModelledBroker, QueueModel>)step);
    }

    // What the client holds is hidden for longer, and what is visible then it gets.
    private static QueueModel Later(QueueModel model)
    {
        var until = model.Now + ModelledBroker.Renewal;
        var renewed = model with
        {
            HiddenUntil = model.HiddenUntil.SetItems(
                model.Held.Select(message => KeyValuePair.Create(message, until + QueueModel.Visibility)))
        };
        return renewed.Wait(ModelledBroker.Renewal).Deliver();
    }

    // It stays with the broker, which offers it again after a while.
    private static async Task ReturnAsync(ModelledBroker broker, int message, QueueModel before)
    {
        await broker.GiveBackAsync(message);
        await broker.WaitAsync(before.Held.Count);
    }

    private static bool Does(ModelledBroker broker, QueueModel after, Func<Task> step)
    {
        DoAsync().GetAwaiter().GetResult();
        return true;

        async Task DoAsync()
        {
            await step();
            await broker.ExpectAsync(after.Held);
            await broker.ExpectInFlightAsync(after.InFlight);
        }
    }

    private sealed class Fresh(LocalSqsHost queues) : Setup<ModelledBroker, QueueModel>
    {
        private static int s_runs;

        public override ModelledBroker Actual() =>
            ModelledBroker.StartAsync(queues, $"run-{Interlocked.Increment(ref s_runs)}").GetAwaiter().GetResult();

        public override QueueModel Model() => QueueModel.Empty;
    }

    // The others share the clock, and would wait for what it makes this one do.
    private sealed class Ended : TearDown<ModelledBroker>
    {
        public override void Actual(ModelledBroker broker) => broker.Dispose();
    }
}
