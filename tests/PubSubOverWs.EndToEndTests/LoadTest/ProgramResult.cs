namespace PubSubOverWs.EndToEndTests.LoadTest;

/// <summary>How the program ended, and what it wrote that nobody had read before.</summary>
public sealed record ProgramResult(int ExitCode, string Output, string Error);
