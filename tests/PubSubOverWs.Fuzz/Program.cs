using PubSubOverWs.Tests.Fuzz;

return await FuzzCommand.RunAsync(args, Console.Out);
