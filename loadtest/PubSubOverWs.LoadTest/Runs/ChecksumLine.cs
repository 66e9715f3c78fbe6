using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.LoadTest.Runs;

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
