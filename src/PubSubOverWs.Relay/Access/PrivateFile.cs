namespace PubSubOverWs.Relay;

/// <summary>Writes a file that only its owner may read, whole or not at all. A file that was there keeps the rights it had.</summary>
internal static class PrivateFile
{
    /// <exception cref="IOException">It cannot be written.</exception>
    public static void Write(string path, string text)
    {
        var beside = $"{path}.new";
        var options = new FileStreamOptions { Mode = FileMode.Create, Access = FileAccess.Write };
        if (!OperatingSystem.IsWindows())
            options.UnixCreateMode = File.Exists(path) ? File.GetUnixFileMode(path) : UnixFileMode.UserRead | UnixFileMode.UserWrite;
        using (var writer = new StreamWriter(beside, options))
            writer.Write(text);
        File.Move(beside, path, overwrite: true);
    }
}
