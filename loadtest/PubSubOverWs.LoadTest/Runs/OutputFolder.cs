using System.Globalization;
using PubSubOverWs.Experiment;

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
                ExitCode.BadUsage, $"--label '{label}' cannot be part of a folder's name: use letters, digits, '-', '_' and '.'.");
        var time = now.UtcDateTime.ToString("yyyy-MM-dd'T'HH-mm-ss'Z'", CultureInfo.InvariantCulture);
        var name = string.IsNullOrEmpty(request.FolderLabel) ? time : $"{time}-{request.FolderLabel}";
        var folder = Path.GetFullPath(request.Out ?? Path.Combine("results", scenario, name), workingFolder);
        if (File.Exists(folder))
            throw new RefusalException(ExitCode.BadUsage, $"{folder} is a file: give --out a new folder.");
        if (Directory.Exists(folder) && Directory.EnumerateFileSystemEntries(folder).Any())
            throw new RefusalException(
                ExitCode.BadUsage, $"The folder {folder} is not empty: give --out a new one, or go on with it by --resume {folder}.");
        return folder;
    }
}
