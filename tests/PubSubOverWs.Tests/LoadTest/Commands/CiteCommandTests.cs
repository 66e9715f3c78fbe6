using System.IO.Compression;
using System.Security.Cryptography;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Tests.LoadTest.Harness.Runs;
using PubSubOverWs.Tests.Record;

namespace PubSubOverWs.Tests.LoadTest.Commands;

public sealed class CiteCommandTests : IDisposable
{
    private const string Name = "tiny-2026-01-01T00-00-00Z";

    private readonly TestTerminal _terminal = new();
    private readonly TemporaryFolder _folder = new();
    private readonly RecordedRun _run = new(rows: 4, complete: true);

    [Fact]
    public async Task The_archive_is_the_whole_record_and_the_citation_names_its_sum_and_its_authors()
    {
        Checksums.Write(_run.Folder);

        Assert.Equal(0, await _terminal.RunAsync("cite", _run.Folder, "--out", _folder.Path, "--author", "Doe, J.", "--author", "Roe, R."));

        var archive = _folder.Of(Name + ".zip");
        Assert.Contains($"{archive} (with every message)", _terminal.Output, StringComparison.Ordinal);
        await ZipFile.ExtractToDirectoryAsync(archive, _folder.Of("unpacked"));
        Assert.Equal(0, await _terminal.RunAsync("validate", _folder.Of(Path.Combine("unpacked", Name))));
        Assert.Contains("server stats, samples, complete", _terminal.Output, StringComparison.Ordinal);
        var bibliography = await File.ReadAllTextAsync(_folder.Of(Name + ".bib"));
        Assert.Contains($"@misc{{{Name},\n  title = {{{{tiny: direct, pubsub}}. Record of a run", bibliography, StringComparison.Ordinal);
        Assert.Contains("  author = {Doe, J. and Roe, R.},\n  year = {2026},\n", bibliography, StringComparison.Ordinal);
        Assert.Contains(
            $"SHA-256 {Convert.ToHexStringLower(SHA256.HashData(await File.ReadAllBytesAsync(archive)))}}}", bibliography,
            StringComparison.Ordinal);
        Assert.Equal(bibliography.Count(letter => letter == '{'), bibliography.Count(letter => letter == '}'));
    }

    [Fact]
    public async Task The_same_record_gives_the_same_archive()
    {
        Checksums.Write(_run.Folder);

        Assert.Equal(0, await _terminal.RunAsync("cite", _run.Folder, "--out", _folder.Of("one")));
        Assert.Equal(0, await _terminal.RunAsync("cite", _run.Folder, "--out", _folder.Of("two")));

        Assert.Equal(
            await File.ReadAllBytesAsync(_folder.Of(Path.Combine("one", Name + ".zip"))),
            await File.ReadAllBytesAsync(_folder.Of(Path.Combine("two", Name + ".zip"))));
        Assert.Contains("(without an author: add --author)", _terminal.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_record_without_sums_without_samples_or_not_complete_is_refused()
    {
        Assert.Equal(5, await _terminal.RunAsync("cite", _run.Folder, "--out", _folder.Path));
        Assert.Contains("has no SHA256SUMS, which its run wrote: ", _terminal.Error, StringComparison.Ordinal);

        Checksums.Write(_run.Folder);
        File.Delete(RecordFiles.Samples(_run.Folder));
        Assert.Equal(5, await _terminal.RunAsync("cite", _run.Folder, "--out", _folder.Path));
        Assert.Contains("samples.csv.gz, which committed folders leave out: cite the folder that the run wrote.", _terminal.Error);

        using var cut = new RecordedRun(rows: 2);
        Assert.Equal(5, await _terminal.RunAsync("cite", cut.Folder, "--out", _folder.Path));
        Assert.Contains("is not complete: continue it with run --resume ", _terminal.Error, StringComparison.Ordinal);
        Assert.Empty(Directory.GetFiles(_folder.Path));
    }

    public void Dispose()
    {
        _run.Dispose();
        _folder.Dispose();
    }
}
