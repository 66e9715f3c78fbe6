using System.ComponentModel;
using System.Diagnostics;

namespace PubSubOverWs.LoadTest.Harness;

/// <summary>The browser of the person at this machine.</summary>
public static class UserBrowser
{
    // As long as a browser takes to say that it cannot start. The script may also wait until the browser is closed.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(3);

    private static readonly string[] Displays = ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"];

    /// <summary>Shows an address in it.</summary>
    /// <param name="variable">The value of an environment variable; null: it is not set.</param>
    /// <returns>Why it is not shown, in a few words; null: it is.</returns>
    public static string? Show(string address, Func<string, string?> variable)
    {
        try
        {
            if (!OperatingSystem.IsLinux())
            {
                Process.Start(new ProcessStartInfo(address) { UseShellExecute = true })?.Dispose();
                return null;
            }

            return Displays.All(name => string.IsNullOrEmpty(variable(name))) ? "there is no display" : ShowOnLinux(address);
        }
        catch (Exception failure) when (failure is Win32Exception or PlatformNotSupportedException)
        {
            return failure.Message.TrimEnd('.');
        }
    }

    // xdg-open tries one program after the other, with all that they write: none of it is for the user.
    private static string? ShowOnLinux(string address)
    {
        using var opener = Process.Start("sh", ["-c", "exec xdg-open \"$1\" </dev/null >/dev/null 2>&1", "sh", address]);
        return !opener.WaitForExit(Patience) || opener.ExitCode == 0 ? null
            : opener.ExitCode == 127 ? "xdg-open is not installed"
            : "xdg-open has found no browser that starts";
    }
}
