namespace PubSubOverWs.Tests.Repository;

/// <summary>
/// Tables of pages that are behind a marker. To make them again after a change of records:
/// <c>PAGE_TABLES=write dotnet test tests/PubSubOverWs.Tests --filter PageTableTests</c>.
/// </summary>
public sealed class PageTableTests
{
    public static TheoryData<string> Pages =>
        [.. SourceTree.Files("", ".md").Where(path => SourceTree.Read(path).Contains("<!-- table of ", StringComparison.Ordinal))];

    [Theory]
    [MemberData(nameof(Pages))]
    public void A_table_of_a_page_is_what_the_reports_have(string page)
    {
        var filled = PageTable.Fill(page);
        if (Environment.GetEnvironmentVariable("PAGE_TABLES") == "write")
            File.WriteAllText(Path.Combine(SourceTree.Root, page), filled);
        Assert.Equal(SourceTree.Read(page), filled);
    }
}
