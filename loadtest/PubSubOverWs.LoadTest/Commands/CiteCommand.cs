using System.CommandLine;
using System.IO.Compression;
using System.Security.Cryptography;
using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.Report.Results;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary><c>cite DIR</c>: a record as one file with its samples and checksums, and BibTeX for it.</summary>
public static class CiteCommand
{
    public static Command Create(Terminal terminal)
    {
        var folder = new Argument<string>("DIR") { Description = "a record folder, such as results/paper/TIME" };
        var output = new Option<string>("--out")
        { DefaultValueFactory = _ => ".", Description = "folder for both files; default: the working folder", HelpName = "DIR" };
        var authors = new Option<string[]>("--author")
        { Description = "author of the record, such as \"Ganaputra, J.\"; may be repeated", HelpName = "NAME" };
        var command = new Command("cite", "Write BibTeX for a record, and an archive of it for a repository that gives a DOI.")
            { folder, output, authors };
        command.SetAction(async (parsed, _) => (int)await CiteAsync(
            parsed.GetRequiredValue(folder), parsed.GetRequiredValue(output), parsed.GetValue(authors) ?? [], terminal));
        return command;
    }

    private static async Task<ExitCode> CiteAsync(string folder, string output, string[] authors, Terminal terminal)
    {
        var run = RecordReader.Read(folder).Run;
        RefusalException.ThrowUnless(run.Complete, $"The run in {folder} is not complete: continue it with run --resume {folder}.");
        RefusalException.ThrowUnless(
            Checksums.AreIn(folder), $"{folder} has no {Checksums.FileName}, which its run wrote: {RecordException.Mend}.");
        Checksums.CheckAll(folder);
        string[] all = [RecordFiles.Stats(folder), .. run.KeepsSamples ? [RecordFiles.Samples(folder)] : Array.Empty<string>()];
        if (Array.Find(all, path => !Path.Exists(path)) is { } leftOut)
            throw new RefusalException($"There is no {leftOut}, which committed folders leave out: cite the folder that the run wrote.");

        var name = Citation.NameOf(run);
        var archive = Path.Combine(output, name + ".zip");
        var bibliography = Path.Combine(output, name + ".bib");
        foreach (var path in new[] { archive, bibliography })
            RefusalException.ThrowUnless(!Path.Exists(path), $"{path} is there already: remove it, or give --out another folder.");
        try
        {
            Directory.CreateDirectory(output);
            Pack(folder, name, run.Ended ?? run.Started, archive);
            await File.WriteAllTextAsync(bibliography, Citation.BibTeX(run, authors, name + ".zip", Sum(archive)));
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            File.Delete(archive);
            throw new RefusalException(
                $"{archive} cannot be written ({error.Message.TrimEnd('.')}): make room, or give --out a folder that you may write.",
                error);
        }
        await terminal.WriteAsync(
            "archive",
            archive + (run.KeepsSamples ? " (with every message)" : " (without single messages: this experiment keeps only histograms)"));
        await terminal.WriteAsync("citation", bibliography + (authors.Length == 0 ? " (without an author: add --author)" : ""));
        await terminal.WriteAsync("next", "upload both to a repository that gives a DOI, and add the DOI to the citation");
        return ExitCode.Success;
    }

    // In a fixed order and with the time of the run: the same record gives the same file.
    private static void Pack(string folder, string name, DateTimeOffset time, string path)
    {
        using var archive = ZipFile.Open(path, ZipArchiveMode.Create);
        var files = Directory.GetFiles(folder, "*", SearchOption.AllDirectories)
            .Select(file => (Path: file, Name: Path.GetRelativePath(folder, file).Replace(Path.DirectorySeparatorChar, '/')));
        foreach (var file in files.OrderBy(file => file.Name, StringComparer.Ordinal))
        {
            var entry = archive.CreateEntry($"{name}/{file.Name}", CompressionLevel.Optimal);
            entry.LastWriteTime = time;
            using var from = File.OpenRead(file.Path);
            using var to = entry.Open();
            from.CopyTo(to);
        }
    }

    private static string Sum(string path)
    {
        using var file = File.OpenRead(path);
        return Convert.ToHexStringLower(SHA256.HashData(file));
    }
}
