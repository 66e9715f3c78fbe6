using System.Security.Cryptography;

namespace PubSubOverWs.Relay;

/// <summary>Writes a file that only its owner may read, completely or not at all. An existing file keeps its permissions.</summary>
internal static class PrivateFile
{
    private const UnixFileMode Owner = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    /// <exception cref="IOException">It cannot be written.</exception>
    public static void Write(string path, string text)
    {
        // The name cannot be predicted: a link or a file that another user had put there would receive the secret.
        var temporary = $"{path}.{RandomNumberGenerator.GetHexString(16)}.new";
        var options = new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.Write };
        if (!OperatingSystem.IsWindows())
            options.UnixCreateMode = Owner;
        try
        {
            using (var stream = new FileStream(temporary, options))
            {
                using var writer = new StreamWriter(stream);
                writer.Write(text);
                writer.Flush();
                if (!OperatingSystem.IsWindows() && File.Exists(path))
                    File.SetUnixFileMode(stream.SafeFileHandle, File.GetUnixFileMode(path));
            }
            File.Move(temporary, path, overwrite: true);
        }
        catch
        {
            File.Delete(temporary);
            throw;
        }
    }
}
