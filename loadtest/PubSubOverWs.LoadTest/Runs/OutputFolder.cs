using System.Globalization;
using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>Where a record goes.</summary>
public static class OutputFolder
{
    /// <summary><c>results/SCENARIO/TIME[-LABEL]</c> under <paramref name="workingFolder"/>, or what the user gave.</summary>
    /// <exception cref="RefusalException">The label cannot be part of a name, or the folder has something in it.</exception>
    public static string Choose(RunRequest request, string scenario, string workingFolder, DateTimeOffset now)
    {
        if (request.Label is { } label && !label.All(letter => char.IsAsciiLetterOrDigit(letter) || letter is '-' or '_' or '.'))
            throw new RefusalException(
                $"--label '{label}' cannot be part of a folder's name: use letters, digits, '-', '_' and '.'.");
        var time = now.UtcDateTime.ToString("yyyy-MM-dd'T'HH-mm-ss'Z'", CultureInfo.InvariantCulture);
        var name = string.IsNullOrEmpty(request.FolderLabel) ? time : $"{time}-{request.FolderLabel}";
        var folder = Path.GetFullPath(request.Out ?? Path.Combine("results", scenario, name), workingFolder);
        if (File.Exists(folder))
            throw new RefusalException($"{folder} is a file: give --out a new folder.");
        if (Directory.Exists(folder) && Directory.EnumerateFileSystemEntries(folder).Any())
            throw new RefusalException(
                $"The folder {folder} is not empty: give --out a new one, or go on with it by --resume {folder}.");
        return folder;
    }
}

/// <summary>What is said of <see cref="Checksums"/> when nothing speaks against them.</summary>
public static class ChecksumLine
{
    /// <param name="folder">The record.</param>
    /// <param name="found">As they were checked.</param>
    public static string Of(string folder, (int Held, int LeftOut) found) => !Checksums.AreIn(folder)
        ? $"sums       none: the folder has no {Checksums.FileName}, for its run was cut or is older than that"
        : $"sums       {Checksums.FileName} holds for {found.Held} files{(found.LeftOut == 0 ? "" : $"; {found.LeftOut} that it names in "
            + "samples/ and stats/ are left out here")}";
}
