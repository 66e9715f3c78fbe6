using FsCheck;
using FsCheck.Fluent;
using PubSubOverWs.LocalSqs;

namespace PubSubOverWs.Tests.LocalSqs;

/// <summary>A FIFO queue beside a list that is searched again for every receive: the slow way to be right.</summary>
public sealed class FifoModelTests
{
    private static readonly TimeSpan Visibility = TimeSpan.FromSeconds(30);

    [Fact]
    public void Every_receive_keeps_the_order_of_the_groups() =>
        Prop.ForAll<int[]>(steps => new Run().Does(steps)).QuickCheckThrowOnFailure();

    private sealed class Entry(string group)
    {
        public string Group { get; } = group;

        /// <summary>Null: visible.</summary>
        public DateTimeOffset? HiddenUntil { get; set; }

        public Handout Handout { get; set; }
    }

    private sealed class Run
    {
        private readonly TestQueue _test = TestQueue.Fifo();
        private readonly SortedDictionary<ulong, Entry> _model = [];
        private int _sent;

        public bool Does(int[] steps)
        {
            foreach (var step in steps)
            {
                var choice = Math.Abs((long)step) / 8;
                var isRight = (Math.Abs((long)step) % 8) switch
                {
                    0 or 1 => Send($"group {choice % 3}"),
                    2 or 3 => Receive((int)(choice % 4) + 1, Visibility),
                    4 => Receive((int)(choice % 4) + 1, TimeSpan.Zero),
                    5 => Settle(choice, Delete),
                    6 => Settle(choice, choice % 2 == 0 ? Release : GiveBack),
                    _ => Wait(TimeSpan.FromSeconds(choice % 20)),
                };
                var inFlight = _model.Values.Count(entry => entry.HiddenUntil is not null);
                if (!isRight || _test.Queue.Count() != new QueueCounts(_model.Count - inFlight, inFlight, 0))
                    return false;
            }
            return true;
        }

        private bool Send(string group)
        {
            var number = _test.Send(new NewMessage(TestQueue.Body("x"), null, new MessageExtras(group, $"{_sent++}")))[0];
            _model.Add(number, new Entry(group));
            return true;
        }

        private bool Receive(int max, TimeSpan visibility)
        {
            // Of each group what comes before the first that is in flight.
            var open = _model.GroupBy(pair => pair.Value.Group)
                .ToDictionary(
                    group => group.Key,
                    group => group.TakeWhile(pair => pair.Value.HiddenUntil is null).Select(pair => pair.Key).ToArray());
            var received = _test.Receive(max, visibility);
            var groups = received.GroupBy(handout => handout.Extras!.GroupId!).ToArray();
            foreach (var handout in received)
            {
                var entry = _model[handout.Number];
                entry.Handout = handout;
                entry.HiddenUntil = visibility > TimeSpan.Zero ? _test.Time.GetUtcNow() + visibility : null;
            }
            return received.Count == Math.Min(max, open.Values.Sum(numbers => numbers.Length))
                && groups.SelectMany(group => group).SequenceEqual(received)
                && groups.All(group => group.Select(handout => handout.Number).SequenceEqual(open[group.Key].Take(group.Count())))
                && groups.SkipLast(1).All(group => group.Count() == open[group.Key].Length);
        }

        private bool Settle(long choice, Action<ulong, Entry> settle)
        {
            var inFlight = _model.Where(pair => pair.Value.HiddenUntil is not null).ToArray();
            if (inFlight.Length > 0)
                settle(inFlight[choice % inFlight.Length].Key, inFlight[choice % inFlight.Length].Value);
            return true;
        }

        private void Delete(ulong number, Entry entry)
        {
            _test.Queue.Delete(_test.Handle(entry.Handout));
            _model.Remove(number);
        }

        private void Release(ulong number, Entry entry)
        {
            _test.Queue.ChangeVisibility(_test.Handle(entry.Handout), TimeSpan.Zero);
            entry.HiddenUntil = null;
        }

        private void GiveBack(ulong number, Entry entry)
        {
            _test.Queue.GiveBack([entry.Handout]);
            entry.HiddenUntil = null;
        }

        private bool Wait(TimeSpan time)
        {
            _test.Time.Advance(time);
            foreach (var entry in _model.Values.Where(entry => entry.HiddenUntil <= _test.Time.GetUtcNow()))
                entry.HiddenUntil = null;
            return true;
        }
    }
}
