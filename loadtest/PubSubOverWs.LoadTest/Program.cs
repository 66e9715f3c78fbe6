using PubSubOverWs.Experiment;
using PubSubOverWs.LoadTest.Commands;
using PubSubOverWs.LoadTest.Load.Floor;

// Started as a child, it behaves as the servers do: their signals, their arguments, nothing of the command line below.
if (args is [NullEcho.Command, ..])
{
    await NullEcho.RunAsync(args);
    return (int)ExitCode.Success;
}

var terminal = Terminal.System;
using var interruption = new Interruption(terminal.Error);

return await CommandLine.RunAsync(
    args,
    [
        RunCommand.Create(terminal),
        ValidateCommand.Create(terminal),
        DoctorCommand.Create(terminal),
        VersionCommand.Create(terminal),
        NullEchoCommand.Create(args),
    ],
    terminal,
    interruption.Token);
