namespace PubSubOverWs.LoadTest.Harness.Runs;

/// <summary>The folder of a new record.</summary>
public static class OutputFolder
{
    /// <summary><c>--out</c>, or <c>results/SCENARIO/TIME[-LABEL]</c> under <paramref name="workingFolder"/>.</summary>
    /// <exception cref="RefusalException">The label cannot be part of a name, or the folder is not empty.</exception>
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
                $"The folder {folder} is not empty: give --out a new one, or continue with --resume {folder}.");
        return folder;
    }
}

/// <summary>A file that is written at the end of a command that takes long.</summary>
public static class OutputFile
{
    /// <summary>Looks whether it can be written; a file that is there stays as it is.</summary>
    /// <param name="option">That names it.</param>
    /// <exception cref="RefusalException">It cannot be written.</exception>
    public static void Check(string option, string path)
    {
        try
        {
            var isThere = File.Exists(path);
            File.Open(path, FileMode.OpenOrCreate, FileAccess.Write).Dispose();
            if (!isThere)
                File.Delete(path);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new RefusalException(
                $"{option} '{path}' cannot be written ({error.Message.TrimEnd('.')}): name a file in a folder that exists.", error);
        }
    }
}

/// <summary>The line about <see cref="Checksums"/> that run, report and validate print when no file differs.</summary>
public static class ChecksumLine
{
    /// <param name="held">For how many files.</param>
    public static string Text(string folder, int held) => !Checksums.AreIn(folder)
        ? $"sums       none: the folder has no {Checksums.FileName}, because its run was interrupted"
        : $"sums       {Checksums.FileName} holds for {held} files";
}
