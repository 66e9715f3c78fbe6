using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace PubSubOverWs.Tests;

/// <summary>
/// How tests wait for what another thread, or another process, does: they look again until it is so, and no time has to pass for it. The
/// limit is there only so that a broken product fails a test, with a sentence, rather than hanging it.
/// </summary>
internal static class Waiting
{
    public static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    // Then what is waited for is far, such as in another process, and gets the processor: one look each millisecond finds it as well.
    private static readonly TimeSpan Close = TimeSpan.FromMilliseconds(20);

    /// <param name="condition">True: the wait is over.</param>
    /// <param name="what">What is waited for, for the sentence of a failure.</param>
    /// <param name="between">Done after each look in vain, such as moving a clock on.</param>
    public static Task UntilAsync(
        Func<bool> condition, [CallerArgumentExpression(nameof(condition))] string what = "", Action? between = null) =>
        UntilAsync(() => Task.FromResult(condition()), what, between);

    /// <summary>The same, of something that has to be asked for.</summary>
    public static async Task UntilAsync(
        Func<Task<bool>> condition, [CallerArgumentExpression(nameof(condition))] string what = "", Action? between = null)
    {
        for (var start = Stopwatch.GetTimestamp(); !await condition();)
        {
            var passed = Stopwatch.GetElapsedTime(start);
            if (passed > Limit)
                throw InVain(what);
            between?.Invoke();
            if (between is null && passed > Close)
                await Task.Delay(TimeSpan.FromMilliseconds(1), TimeProvider.System);
            else
                await Task.Yield();
        }
    }

    /// <summary>Waits for the end of a task that ends only while a step is repeated, such as moving a clock on.</summary>
    public static async Task WhileAsync(this Task task, Action step, [CallerArgumentExpression(nameof(task))] string what = "")
    {
        await UntilAsync(() => task.IsCompleted, what, step);
        await task;
    }

    /// <inheritdoc cref="WhileAsync(Task, Action, string)"/>
    public static async Task<T> WhileAsync<T>(this Task<T> task, Action step, [CallerArgumentExpression(nameof(task))] string what = "")
    {
        await WhileAsync((Task)task, step, what);
        return await task;
    }

    public static async Task Patiently(this Task task, [CallerArgumentExpression(nameof(task))] string what = "")
    {
        try
        {
            // Not by way of the test's own context: who waits goes on at once, where the task ended.
            await task.WaitAsync(Limit).ConfigureAwait(false);
        }
        catch (TimeoutException) when (!task.IsCompleted)
        {
            throw InVain(what);
        }
    }

    public static async Task<T> Patiently<T>(this Task<T> task, [CallerArgumentExpression(nameof(task))] string what = "")
    {
        await Patiently((Task)task, what).ConfigureAwait(false);
        return await task;
    }

    /// <summary>
    /// Lets other threads go on. What they do in an instant has happened then, and what they would do wrong: it can find a fault, and never
    /// be the reason for one.
    /// </summary>
    public static async Task GiveWayAsync(int times)
    {
        for (var i = 0; i < times; i++)
            await Task.Yield();
    }

    private static TimeoutException InVain(string what) => new($"Waited in vain for {Limit.TotalSeconds} s until this was so: {what}");
}
