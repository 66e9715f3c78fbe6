using PubSubOverWs.EndToEndTests.LoadTest;
using PubSubOverWs.EndToEndTests.Node;

namespace PubSubOverWs.EndToEndTests.Page;

/// <summary>How fast the page is, in a browser.</summary>
[Collection(nameof(Machine))]
public sealed class PageLoadTests
{
    [BrowserFact]
    [Trait("Category", "Long")]
    public async Task A_page_that_gets_a_hundred_messages_a_second_for_a_minute_stays_responsive_and_does_not_grow()
    {
        await using var scripts = await PageScripts.StartAsync();
        await scripts.TestAsync("page/load.test.mjs", scripts.Command("direct"));
    }
}
