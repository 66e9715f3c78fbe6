namespace PubSubOverWs.LoadTest.Experiments.Transports.Load;

/// <summary>How clients of one arm reach the server.</summary>
/// <param name="Server">The server, or a proxy before it.</param>
/// <param name="IsHttp2">In the clear and without a negotiation.</param>
/// <param name="AfterCut">What they do when their connection was cut.</param>
public sealed record FeedRoute(Uri Server, bool IsHttp2, AfterCut AfterCut)
{
    public Version Version => IsHttp2 ? HttpVersion.Version20 : HttpVersion.Version11;
}
