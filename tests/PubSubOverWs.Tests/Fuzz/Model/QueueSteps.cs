using FsCheck;
using FsCheck.Experimental;
using FsCheck.Fluent;
using PubSubOverWs.LocalSqs;
using PubSubOverWs.Tests.LocalSqs;
using Step = PubSubOverWs.Tests.Fuzz.Model.ModelStep<PubSubOverWs.Tests.Fuzz.Model.QueueSteps.Consumer>;

namespace PubSubOverWs.Tests.Fuzz.Model;

/// <summary>LocalSqs and a consumer of it, step by step beside <see cref="QueueModel"/>.</summary>
internal sealed class QueueSteps() : Machine<QueueSteps.Consumer, QueueModel>(200)
{
    public override Arbitrary<Setup<Consumer, QueueModel>> Setup => Gen.Constant<Setup<Consumer, QueueModel>>(new Fresh()).ToArbitrary();

    public override Gen<Operation<Consumer, QueueModel>> Next(QueueModel model)
    {
        var settle = model.Held.IsEmpty
            ? []
            : new[]
            {
                Gen.Elements<int>(model.Held)
                    .Select(message =>
                        new Step("acknowledge", m => m.Acknowledge(message),
                            (consumer, _, after) => consumer.Acknowledge(message) && consumer.Is(after), m => m.Held.Contains(message))),
                Gen.Elements<int>(model.Held)
                    .Select(message =>
                        new Step("give back", m => m.GiveBack(message),
                            (consumer, _, after) => consumer.GiveBack(message) && consumer.Is(after), m => m.Held.Contains(message))),
            };
        var deliver = new Step(
            "deliver", m => m.Deliver(), (consumer, before, after) => consumer.Deliver(before) && consumer.Is(after),
            m => m.Visible.Count() <= 10);
        Gen<Step>[] steps =
        [
            Gen.Constant(
                new Step("publish", m => m.Publish(), (consumer, _, after) => consumer.Publish() && consumer.Is(after),
                    m => m.HiddenUntil.Count < 10)),
            Gen.Constant(deliver),
            Gen.Constant(new Step("crash", m => m.Crash(), (consumer, _, after) => consumer.Crash() && consumer.Is(after), _ => true)),
            Gen.Choose(1, 40)
                .Select(seconds =>
                    new Step($"wait {seconds} s", m => m.Wait(seconds),
                        (consumer, _, after) => consumer.Wait(seconds) && consumer.Is(after), _ => true)),
            .. settle,
        ];
        return Gen.OneOf(steps).Select(step => (Operation<Consumer, QueueModel>)step);
    }

    /// <summary>The real queue, and who receives from it.</summary>
    internal sealed class Consumer
    {
        private readonly TestQueue _queue = new(("VisibilityTimeout", $"{QueueModel.Visibility}"));
        private readonly Dictionary<int, Handout> _held = [];
        private int _published;

        public bool Is(QueueModel model) => _queue.Queue.Count() == new QueueCounts(model.Visible.Count(), model.InFlight, 0);

        public bool Publish()
        {
            _queue.Send($"{_published++}");
            return true;
        }

        /// <returns>Whether all came that were visible, and nothing else.</returns>
        public bool Deliver(QueueModel before)
        {
            var handouts = _queue.Receive();
            var messages = TestQueue.Texts(handouts).Select(text => int.Parse(text, System.Globalization.CultureInfo.InvariantCulture))
                .ToArray();
            foreach (var (message, handout) in messages.Zip(handouts))
                _held[message] = handout;
            return messages.Order().SequenceEqual(before.Visible);
        }

        public bool Acknowledge(int message)
        {
            _queue.Queue.Delete(_queue.Handle(_held[message]));
            return true;
        }

        public bool GiveBack(int message) => _queue.Queue.ChangeVisibility(_queue.Handle(_held[message]), TimeSpan.Zero) is null;

        public bool Crash()
        {
            _held.Clear();
            return true;
        }

        public bool Wait(int seconds)
        {
            _queue.Time.Advance(TimeSpan.FromSeconds(seconds));
            return true;
        }
    }

    private sealed class Fresh : Setup<Consumer, QueueModel>
    {
        public override Consumer Actual() => new();

        public override QueueModel Model() => QueueModel.Empty;
    }
}
