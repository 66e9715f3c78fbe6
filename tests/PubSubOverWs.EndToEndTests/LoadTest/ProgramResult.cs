namespace PubSubOverWs.EndToEndTests.LoadTest;

/// <summary>How the program ended, and the output that had not been read before.</summary>
public sealed record ProgramResult(int ExitCode, string Output, string Error);
