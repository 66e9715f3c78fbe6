namespace PubSubOverWs.LoadTest.Live;

/// <summary>Shows a run while it runs: <see cref="LiveTable"/> on a terminal, <see cref="PlainLines"/> anywhere else.</summary>
public interface ILiveView
{
    /// <summary>Runs <paramref name="work"/> and shows whatever it hands to its argument; one call at a time.</summary>
    Task WhileAsync(Func<Action<RunProgress>, Task> work);
}
