using System.Buffers;
using System.Threading.Channels;

namespace PubSubOverWs.LoadTest.Harness.Network;

/// <summary>
/// One direction of a connection. Passes chunks on at once, or through a short queue in which the toxics delay them. A full queue stops
/// reading, which slows the sender down as a network does. An idle link holds no buffer.
/// </summary>
/// <param name="passed">Called with the number of bytes of each write.</param>
public sealed class Link(Stream source, Stream sink, Valve valve, ProxyClock clock, Action<int> passed) : IDisposable
{
    /// <summary>The most that one read takes.</summary>
    public const int ChunkBytes = 16 * 1024;

    /// <summary>Limit on waiting bytes; the last chunk may exceed it.</summary>
    public const int BytesInLine = 64 * 1024;

    /// <summary>Limit on waiting chunks of any size, for the overhead of each.</summary>
    public const int ChunksInLine = 1024;

    private readonly Channel<Chunk> _line = Channel.CreateBounded<Chunk>(
        new BoundedChannelOptions(ChunksInLine) { SingleReader = true, SingleWriter = true });
    private readonly ByteBudget _budget = new(BytesInLine);
    private volatile ToxicChain _chain = new([]);
    private int _inLine;

    /// <summary>Replaces the effects, also for bytes that wait already.</summary>
    public void Apply(IReadOnlyList<IEffect> effects)
    {
        var before = _chain;
        _chain = new ToxicChain(effects);
        before.Dispose();
    }

    /// <summary>To be called after both loops have ended.</summary>
    public void Dispose() => _chain.Dispose();

    /// <summary>Reads until the source ends, in parallel with <see cref="WriteAsync"/>.</summary>
    public async Task ReadAsync(CancellationToken cancellationToken)
    {
        try
        {
            while (await ReadChunkAsync(cancellationToken) is { } chunk)
            {
                if (_chain.IsClear && Volatile.Read(ref _inLine) == 0)
                    await PassAtOnceAsync(chunk, cancellationToken);
                else
                    await EnterLineAsync(chunk, cancellationToken);
            }
        }
        catch (Exception error)
        {
            // The writer must not take a broken source for its end.
            _line.Writer.TryComplete(error);
            throw;
        }
        // The end is queued and delayed like the last bytes.
        await EnterLineAsync(Chunk.End(clock.Now), cancellationToken);
        _line.Writer.Complete();
    }

    /// <summary>Writes the queued chunks. True: all were written, and the source has ended. False: a toxic ends the connection.</summary>
    public async Task<bool> WriteAsync(CancellationToken cancellationToken)
    {
        await foreach (var chunk in _line.Reader.ReadAllAsync(cancellationToken))
        {
            if (!await (chunk.IsEnd ? PassEndAsync(chunk, cancellationToken) : PassAsync(chunk, cancellationToken)))
                return false;
            _budget.GiveBack(chunk.Count);
            chunk.Return();
            Interlocked.Decrement(ref _inLine);
        }
        await valve.PassAsync(cancellationToken);
        return true;
    }

    private async ValueTask<Chunk?> ReadChunkAsync(CancellationToken cancellationToken)
    {
        // An empty read waits for bytes or the end without holding a buffer.
        _ = await source.ReadAsync(Memory<byte>.Empty, cancellationToken);
        var array = ArrayPool<byte>.Shared.Rent(ChunkBytes);
        var count = await source.ReadAsync(array.AsMemory(0, ChunkBytes), cancellationToken);
        if (count > 0)
            return new Chunk(array, count, clock.Now);
        ArrayPool<byte>.Shared.Return(array);
        return null;
    }

    private async ValueTask PassAtOnceAsync(Chunk chunk, CancellationToken cancellationToken)
    {
        await LetThroughAsync(chunk.Bytes, cancellationToken);
        chunk.Return();
    }

    private async ValueTask EnterLineAsync(Chunk chunk, CancellationToken cancellationToken)
    {
        Interlocked.Increment(ref _inLine);
        await _budget.TakeAsync(chunk.Count, cancellationToken);
        await _line.Writer.WriteAsync(chunk.Fitted(), cancellationToken);
    }

    private async ValueTask<bool> PassAsync(Chunk chunk, CancellationToken cancellationToken)
    {
        for (var done = 0; done < chunk.Count;)
        {
            var chain = _chain;
            foreach (var piece in chain.Plan(chunk.Count - done, chunk.ReadAt))
            {
                if (!await IsDueAsync(piece, chain, cancellationToken))
                    break;
                await LetThroughAsync(chunk.Bytes.Slice(done, piece.Length), cancellationToken);
                done += piece.Length;
                if (piece.Ends)
                    return false;
            }
        }
        return true;
    }

    private async ValueTask<bool> PassEndAsync(Chunk end, CancellationToken cancellationToken)
    {
        while (true)
        {
            var chain = _chain;
            // No piece: a limit was reached.
            if (chain.Plan(0, end.ReadAt) is not [var piece] || await IsDueAsync(piece, chain, cancellationToken))
                return true;
        }
    }

    /// <summary>True once it is due; false: the toxics have changed.</summary>
    private async ValueTask<bool> IsDueAsync(Piece piece, ToxicChain chain, CancellationToken cancellationToken)
    {
        while (clock.Until(piece.Due) is var wait && wait > TimeSpan.Zero)
        {
            if (chain.Left.IsCancellationRequested)
                return false;
            using var either = CancellationTokenSource.CreateLinkedTokenSource(chain.Left, cancellationToken);
            await Task.Delay(wait, clock.Time, either.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            // The thread that changes the toxics of all connections must not do the writing.
            if (either.IsCancellationRequested)
                await Task.Yield();
            cancellationToken.ThrowIfCancellationRequested();
        }
        return true;
    }

    private async ValueTask LetThroughAsync(ReadOnlyMemory<byte> bytes, CancellationToken cancellationToken)
    {
        await valve.PassAsync(cancellationToken);
        await sink.WriteAsync(bytes, cancellationToken);
        passed(bytes.Length);
    }
}

/// <summary>The bytes of one read.</summary>
/// <param name="Array">Returned to the pool when the bytes were passed on.</param>
/// <param name="Count">1 or more; 0: the end.</param>
/// <param name="ReadAt">On the proxy's clock.</param>
public readonly record struct Chunk(byte[] Array, int Count, TimeSpan ReadAt)
{
    public bool IsEnd => Count == 0;

    public ReadOnlyMemory<byte> Bytes => Array.AsMemory(0, Count);

    public static Chunk End(TimeSpan at) => new([], 0, at);

    /// <summary>The same for longer keeping: a few bytes in a large array are moved to a smaller one.</summary>
    public Chunk Fitted()
    {
        if (Count > Array.Length / 2 || IsEnd)
            return this;
        var array = ArrayPool<byte>.Shared.Rent(Count);
        Bytes.CopyTo(array);
        Return();
        return this with { Array = array };
    }

    public void Return() => ArrayPool<byte>.Shared.Return(Array);
}

/// <summary>Lets all bytes of a proxy pass, or none.</summary>
public sealed class Valve
{
    private volatile TaskCompletionSource? _shut;

    /// <summary>Stops all bytes; no effect if it is shut already.</summary>
    public void Shut() => _shut ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);

    public void Open()
    {
        var shut = _shut;
        _shut = null;
        shut?.SetResult();
    }

    /// <summary>Completes while the valve is open.</summary>
    public async ValueTask PassAsync(CancellationToken cancellationToken)
    {
        while (_shut is { } shut)
            await shut.Task.WaitAsync(cancellationToken);
    }
}

/// <summary>A limit on queued bytes: the reader takes from it, the writer gives back.</summary>
/// <param name="bytes">While less is taken, a chunk of any size may be taken.</param>
public sealed class ByteBudget(int bytes)
{
    private readonly Lock _lock = new();
    private int _taken;
    private TaskCompletionSource? _wanted;

    /// <summary>Completes when the bytes are taken.</summary>
    public async ValueTask TakeAsync(int count, CancellationToken cancellationToken)
    {
        while (WaitOrTake(count) is { } wait)
            await wait.WaitAsync(cancellationToken);
    }

    public void GiveBack(int count)
    {
        TaskCompletionSource? wanted;
        lock (_lock)
        {
            _taken -= count;
            wanted = _wanted;
            _wanted = null;
        }
        wanted?.SetResult();
    }

    private Task? WaitOrTake(int count)
    {
        lock (_lock)
        {
            if (_taken >= bytes)
                return (_wanted ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).Task;
            _taken += count;
            return null;
        }
    }
}

/// <summary>The effects on the bytes of a link until the toxics change. Not thread-safe, except for <see cref="Dispose"/>.</summary>
public sealed class ToxicChain : IDisposable
{
    private readonly IReadOnlyList<IEffect> _effects;
    private readonly CancellationTokenSource _left = new();
    private List<Piece> _pieces = [];
    private List<Piece> _passed = [];

    /// <param name="effects">In the order in which the bytes go through them.</param>
    public ToxicChain(IReadOnlyList<IEffect> effects)
    {
        _effects = effects;
        Left = _left.Token;
    }

    /// <summary>It has no effects.</summary>
    public bool IsClear => _effects.Count == 0;

    /// <summary>Cancelled when the toxics change: waiting bytes then go through the next chain.</summary>
    public CancellationToken Left { get; }

    public void Dispose()
    {
        _left.Cancel();
        _left.Dispose();
    }

    /// <summary>When and in which pieces <paramref name="count"/> bytes pass; valid until the next call.</summary>
    /// <param name="count">0 for the end.</param>
    /// <param name="readAt">On the proxy's clock.</param>
    public IReadOnlyList<Piece> Plan(int count, TimeSpan readAt)
    {
        _pieces.Clear();
        _pieces.Add(new Piece(count, readAt));
        foreach (var effect in _effects)
        {
            _passed.Clear();
            foreach (var piece in _pieces)
                effect.Take(piece, _passed);
            (_pieces, _passed) = (_passed, _pieces);
        }
        return _pieces;
    }
}
