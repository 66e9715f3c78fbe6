namespace PubSubOverWs.LoadTest.Harness.Live;

/// <summary>
/// The live pages that are open. A trial begins only when every page has drawn what it was sent, or is slow; while it runs no page is
/// answered or sent anything. Thread-safe.
/// </summary>
public sealed class Audience(TimeProvider time)
{
    /// <summary>More pages than these are refused.</summary>
    public const int MaxPages = 16;

    /// <summary>A page that takes longer to draw is not waited for until it has drawn again.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromMilliseconds(500);

    private readonly Lock _lock = new();
    private readonly Dictionary<int, Page> _pages = [];
    private TaskCompletionSource _opened = Signal();
    private TaskCompletionSource _news = Signal();
    private TaskCompletionSource? _quiet;
    private bool _isOpen = true;
    private long _version;
    private int _answering;
    private int _arriving;
    private int _ids;

    /// <summary>A trial has ended, or none has begun, and there is something to show.</summary>
    /// <param name="version">Of the state, increasing.</param>
    public void Show(long version)
    {
        lock (_lock)
        {
            _version = version;
            Open();
        }
    }

    /// <summary>No trial runs any more.</summary>
    public void Open()
    {
        lock (_lock)
        {
            _isOpen = true;
            _quiet = null;
            _opened.TrySetResult();
            _news.SetResult();
            _news = Signal();
        }
    }

    /// <summary>Completes when no page has anything to do; from then until <see cref="Open"/> none is answered.</summary>
    public async Task CloseAsync(CancellationToken cancellationToken)
    {
        if (WhenQuiet() is not { } quiet)
            return;
        try
        {
            await quiet.WaitAsync(Patience, time, cancellationToken);
        }
        catch (TimeoutException)
        {
            GiveUp();
        }
    }

    /// <summary>Answers a request when no trial runs.</summary>
    /// <param name="isPage">A page begins with it, which a trial then waits for.</param>
    public async Task AnswerAsync(Func<Task> answer, bool isPage, CancellationToken cancellationToken)
    {
        while (!TryEnter(isPage))
            await OpenedAsync(cancellationToken);
        try
        {
            await answer();
        }
        finally
        {
            lock (_lock)
            {
                _answering--;
                CheckQuiet();
            }
        }
    }

    /// <summary>The number of a page that is shown the run from now on; null: there are too many.</summary>
    public int? Join()
    {
        lock (_lock)
        {
            if (_pages.Count == MaxPages)
                return null;
            _pages.Add(++_ids, new Page());
            return _ids;
        }
    }

    public void Leave(int page)
    {
        lock (_lock)
        {
            _pages.Remove(page);
            CheckQuiet();
        }
    }

    /// <summary>Completes when no trial runs and there is something newer than what a page was sent.</summary>
    /// <param name="sent">Its version; 0: nothing was sent.</param>
    public async Task NewsAsync(long sent, CancellationToken cancellationToken)
    {
        while (true)
        {
            Task news;
            lock (_lock)
            {
                if (_isOpen && _version > sent)
                    return;
                news = _news.Task;
            }

            await news.WaitAsync(cancellationToken);
        }
    }

    /// <summary>A page has drawn what it was sent.</summary>
    public void Drawn(int page, long version)
    {
        lock (_lock)
        {
            if (!_pages.TryGetValue(page, out var drawn))
                return;
            if (drawn.Version == 0)
                _arriving = Math.Max(0, _arriving - 1);
            drawn.Version = Math.Max(drawn.Version, version);
            drawn.IsSlow &= drawn.Version < _version;
            CheckQuiet();
        }
    }

    // Null: it is quiet, and closed.
    private Task? WhenQuiet()
    {
        lock (_lock)
        {
            _quiet = Signal();
            CheckQuiet();
            return _quiet?.Task;
        }
    }

    // In one step: what enters before it is waited for, and what enters after it waits.
    private void CheckQuiet()
    {
        if (_quiet is null || _answering > 0 || _arriving > 0 || _pages.Values.Any(page => !page.IsSlow && page.Version < _version))
            return;
        Close();
    }

    private void GiveUp()
    {
        lock (_lock)
        {
            _arriving = 0;
            foreach (var page in _pages.Values)
                page.IsSlow |= page.Version < _version;
            Close();
        }
    }

    private void Close()
    {
        _isOpen = false;
        if (_opened.Task.IsCompleted)
            _opened = Signal();
        _quiet?.TrySetResult();
        _quiet = null;
    }

    private bool TryEnter(bool isPage)
    {
        lock (_lock)
        {
            if (!_isOpen)
                return false;
            _answering++;
            _arriving += isPage ? 1 : 0;
            return true;
        }
    }

    private Task OpenedAsync(CancellationToken cancellationToken)
    {
        lock (_lock)
            return _isOpen ? Task.CompletedTask : _opened.Task.WaitAsync(cancellationToken);
    }

    private static TaskCompletionSource Signal() => new(TaskCreationOptions.RunContinuationsAsynchronously);

    private sealed class Page
    {
        /// <summary>What it has drawn; 0: nothing.</summary>
        public long Version { get; set; }

        public bool IsSlow { get; set; }
    }
}
