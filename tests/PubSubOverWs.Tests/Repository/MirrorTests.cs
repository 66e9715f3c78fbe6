namespace PubSubOverWs.Tests.Repository;

/// <summary>The folders of these tests are those of the product, so that a test is found by what it is about.</summary>
public sealed class MirrorTests
{
    private const string Tests = "tests/PubSubOverWs.Tests/";

    // What is about no folder of the product, or helps tests of several.
    private static readonly string[] OwnFolders =
        ["", "Fuzz", "Fuzz/Framing", "Fuzz/Model", "LoadTest", "LoadTest/Harness/Clients/Scripts", "Relay/Harness", "Repository"];

    private static readonly string[] Product = [.. SourceTree.Files("src", ".cs").Concat(SourceTree.Files("loadtest", ".cs"))
        .Select(path => path.Replace("PubSubOverWs.Report/", "PubSubOverWs.", StringComparison.Ordinal))
        .Select(path => path[(path.IndexOf("PubSubOverWs.", StringComparison.Ordinal) + "PubSubOverWs.".Length)..])];

    [Fact]
    public void Each_folder_of_tests_is_one_of_the_product() => Assert.Empty(
        Files().Select(Folder).Distinct().Except(Product.Select(Folder)).Except(OwnFolders));

    [Fact]
    public void A_test_class_that_is_named_after_a_file_of_its_project_stands_in_the_folder_of_that_file()
    {
        var places = Product.ToLookup(path => (path.Split('/')[0], Path.GetFileNameWithoutExtension(path)), Folder);
        var elsewhere = Files().Where(path => path.EndsWith("Tests.cs", StringComparison.Ordinal))
            .Select(path => (Path: path, Places: places[(path.Split('/')[0], Path.GetFileNameWithoutExtension(path)[..^"Tests".Length])]))
            .Where(test => test.Places.Any() && !test.Places.Contains(Folder(test.Path)));

        Assert.Equal([], elsewhere.Select(test => $"{test.Path} is about a file in {test.Places.First()}"));
    }

    private static IEnumerable<string> Files() => SourceTree.Files(Tests, ".cs").Select(path => path[Tests.Length..]);

    private static string Folder(string path) => Path.GetDirectoryName(path)!.Replace('\\', '/');
}
