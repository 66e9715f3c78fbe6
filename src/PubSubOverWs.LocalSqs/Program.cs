using PubSubOverWs.Hosting;
using PubSubOverWs.LocalSqs;

var builder = WebApplication.CreateSlimBuilder(args);
builder.AddChildMode(args);
builder.AddLocalSqs();

var app = builder.Build();
app.UseLocalSqs();
return app.RunLocalSqs();
