using PubSubOverWs.Hosting;
using PubSubOverWs.LocalSqs;

var builder = WebApplication.CreateSlimBuilder(args);
builder.AddChildMode(args);
builder.AddLocalSqs();

return builder.Build().RunLocalSqs();
