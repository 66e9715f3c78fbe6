using System.Security.Cryptography;
using PubSubOverWs.Hosting;

namespace PubSubOverWs.Relay;

/// <summary>Files with secrets, read and written.</summary>
public static class SecretFile
{
    private const UnixFileMode Owner = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    /// <summary>Reads a file that contains a secret and nothing else; a line end after it is not part of it.</summary>
    /// <param name="what">Names the secret in error messages, such as "token of /stats".</param>
    /// <param name="min">The smallest number of characters that is accepted.</param>
    /// <param name="isToken">It is sent as an HTTP header.</param>
    /// <exception cref="StartFailedException">The file cannot be read, the secret is too short, or it could never match.</exception>
    public static string Read(string path, string what, int min, bool isToken)
    {
        try
        {
            var secret = File.ReadAllText(path).TrimEnd('\r', '\n');
            if (SecretText.FindFault(secret, isToken) is { } fault)
                throw new StartFailedException($"The {what} in {path} {fault}.");
            return secret.Length >= min
                ? secret
                : throw new StartFailedException($"The {what} in {path} is shorter than {min} characters: make a longer one.");
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw new StartFailedException($"The {what} cannot be read: {failure.Message}");
        }
    }

    /// <summary>Writes a file that only its owner may read, completely or not at all. An existing file keeps its permissions.</summary>
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
