using System.Security.Cryptography;

namespace PubSubOverWs.LocalSqs;

/// <summary>All queues of the process, in memory: they are lost when it ends.</summary>
/// <param name="time">For all times of all queues.</param>
/// <param name="options">Null: the defaults.</param>
public sealed class QueueStore(TimeProvider time, LocalSqsOptions? options = null)
{
    /// <summary>The account in queue URLs and ARNs.</summary>
    public const string Account = "000000000000";

    private const string ArnStart = $"arn:aws:sqs:us-east-1:{Account}:";

    private readonly SortedDictionary<string, QueueInMemory> _queues = new(StringComparer.Ordinal);
    private readonly Dictionary<string, long> _deletedAt = [];
    private ulong _nextNumber = 1;

    // At random, so that a receipt of an earlier process names no message of this one.
    private uint _nextId = (uint)RandomNumberGenerator.GetInt32(int.MaxValue);

    public TimeProvider Time { get; } = time;

    /// <summary>The bytes of all queues, as <see cref="LocalSqsOptions.MaxBytes"/> counts them.</summary>
    public long HeldBytes
    {
        get
        {
            lock (Lock)
                return Holdings.Bytes;
        }
    }

    internal Lock Lock { get; } = new();

    internal Holdings Holdings { get; } = new((options ?? new LocalSqsOptions()).MaxBytes);

    internal bool IsStopping { get; private set; }

    public static string ArnOf(string name) => ArnStart + name;

    public static SqsErrorException NoSuchQueue(string name) =>
        new(SqsError.QueueDoesNotExist, $"The specified queue does not exist: {name}.");

    /// <summary>Creates the queue, or finds it.</summary>
    /// <param name="name">1 to 80 letters, digits, hyphens and underscores.</param>
    /// <param name="attributes">The attributes to set; those of an existing queue must be the same.</param>
    /// <exception cref="SqsErrorException">The name or an attribute is invalid, the queue exists with others, or was deleted less than 60 s
    /// ago.</exception>
    public QueueInMemory Create(string name, IReadOnlyCollection<KeyValuePair<string, string>> attributes)
    {
        ArgumentNullException.ThrowIfNull(attributes);
        QueueName.Check(name, attributes.Select(attribute => attribute.Key));
        lock (Lock)
        {
            if (_queues.TryGetValue(name, out var existing))
            {
                return Apply(existing.Settings, attributes, name) == existing.Settings
                    ? existing
                    : throw new SqsErrorException(
                        SqsError.QueueNameExists, $"A queue already exists with the same name and other attributes: {name}.");
            }
            if (WasDeletedRecently(name))
                throw new SqsErrorException(
                    SqsError.QueueDeletedRecently,
                    "You must wait 60 seconds after deleting a queue before you can create another with the same name.");
            var queue = new QueueInMemory(this, name, _nextId++, Apply(QueueSettings.Default, attributes, name));
            _queues.Add(name, queue);
            return queue;
        }
    }

    /// <exception cref="SqsErrorException">There is no such queue.</exception>
    public QueueInMemory Get(string name)
    {
        lock (Lock)
            return _queues.TryGetValue(name, out var queue) ? queue : throw NoSuchQueue(name);
    }

    /// <exception cref="SqsErrorException">There is no such queue, or an attribute is invalid; nothing is changed then.</exception>
    public void Change(string name, IReadOnlyCollection<KeyValuePair<string, string>> attributes)
    {
        lock (Lock)
        {
            var queue = Get(name);
            queue.Change(Apply(queue.Settings, attributes, name));
        }
    }

    /// <exception cref="SqsErrorException">There is no such queue.</exception>
    public void Delete(string name)
    {
        lock (Lock)
        {
            if (!_queues.Remove(name, out var queue))
                throw NoSuchQueue(name);
            foreach (var earlier in _deletedAt.Keys.Where(earlier => !WasDeletedRecently(earlier)).ToArray())
                _deletedAt.Remove(earlier);
            _deletedAt[name] = Time.GetTimestamp();
            queue.Dispose();
        }
    }

    /// <summary>
    /// Names that start with <paramref name="prefix"/> and follow <paramref name="after"/>, in ordinal order.
    /// </summary>
    public IReadOnlyList<string> List(string prefix, string after, int max)
    {
        lock (Lock)
        {
            return [.. _queues.Keys
                .Where(name => name.StartsWith(prefix, StringComparison.Ordinal) && string.CompareOrdinal(name, after) > 0)
                .Take(max)];
        }
    }

    /// <summary>The process is about to end: waiting polls are answered without messages, and later ones do not wait.</summary>
    public void StopWaiting()
    {
        lock (Lock)
        {
            IsStopping = true;
            foreach (var queue in _queues.Values)
                queue.EndPolls();
        }
    }

    internal QueueInMemory? FindByArn(string arn) =>
        arn.StartsWith(ArnStart, StringComparison.Ordinal) && _queues.TryGetValue(arn[ArnStart.Length..], out var queue) ? queue : null;

    internal ulong TakeNumbers(int count)
    {
        var first = _nextNumber;
        _nextNumber += (ulong)count;
        return first;
    }

    private bool WasDeletedRecently(string name) =>
        _deletedAt.TryGetValue(name, out var deletedAt) && Time.GetElapsedTime(deletedAt) < SqsLimit.Pause;

    private QueueSettings Apply(QueueSettings settings, IReadOnlyCollection<KeyValuePair<string, string>> attributes, string name)
    {
        var changed = attributes.Aggregate(settings, (so, attribute) => so.With(attribute.Key, attribute.Value));
        if (changed.Policy is { } policy && policy.QueueArn != ArnOf(name))
            throw QueuePolicy.Unknown($"its Resource must be {ArnOf(name)}");
        if (changed.Redrive is not { } redrive || redrive == settings.Redrive)
            return changed;
        var target = redrive.TargetArn == ArnOf(name) ? null : FindByArn(redrive.TargetArn);
        return target is not null ? changed : throw new SqsErrorException(
            SqsError.InvalidParameterValue,
            $"Value {redrive} for parameter RedrivePolicy is invalid. Reason: Dead letter target does not exist, or is the queue itself.");
    }
}
