namespace PubSubOverWs.LoadTest.Experiments.Peers.Load.Servers;

/// <summary>All peers. What their configuration does not name is as they have it by default.</summary>
internal static class PeerList
{
    private const string NchanModule = "/usr/lib/nginx/modules/ngx_nchan_module.so";

    // A resource: what comes with the program must work wherever that is installed.
    private static readonly string Script = ReadScript();

    public static Peer Nats { get; } = new(
        PeersArms.Nats, "apt-get install nats-server", "nats-server", ["--version"],
        place => new(
            ["-c", Path.Combine(place.Folder, PeerSetUp.File)],
            // -1: a free port for clients that speak NATS without WebSockets, of which there are none.
            Invariant($"host: 127.0.0.1\nport: -1\nwebsocket {{\n  host: 127.0.0.1\n  port: {place.Port}\n{Tls(place.Secure)}}}\n")
                + User(place.Secure)));

    public static Peer Mosquitto { get; } = new(
        PeersArms.Mosquitto, "apt-get install mosquitto", "mosquitto", ["-h"],
        place => new(
            ["-c", Path.Combine(place.Folder, PeerSetUp.File)],
            // Without a listener for MQTT itself, here the second, it does not start; without ipv4 the first listens on all addresses.
            Invariant($"listener {place.Port} 127.0.0.1\nprotocol websockets\nsocket_domain ipv4\nlistener {place.Port} 127.0.0.2\n")
                + "allow_anonymous true\npersistence false\nlog_type error\n"));

    public static Peer Nchan { get; } = new(
        PeersArms.Nchan, "apt-get install nginx libnginx-mod-nchan", "nginx", ["-v"],
        place => new(
            ["-e", "stderr", "-p", place.Folder, "-c", Path.Combine(place.Folder, PeerSetUp.File)],
            $$"""
            load_module {{NchanModule}};
            daemon off;
            user www-data;
            pid {{place.Folder}}/nginx.pid;
            worker_processes auto;
            events { worker_connections 16384; }
            http {
              access_log off;
              client_body_temp_path {{place.Folder}}/body;
              proxy_temp_path {{place.Folder}}/proxy;
              fastcgi_temp_path {{place.Folder}}/fastcgi;
              uwsgi_temp_path {{place.Folder}}/uwsgi;
              scgi_temp_path {{place.Folder}}/scgi;
              server {
                listen 127.0.0.1:{{place.Port}};
                location = /ws {
                  nchan_subscriber websocket;
                  nchan_channel_id peers;
                }
              }
            }

            """))
    { Module = NchanModule };

    public static Peer Ws { get; } = new(
        PeersArms.Ws, "npm install -g ws (in any folder: npm install ws)", "node", ["--eval", Script],
        place => new(["--eval", Script, Invariant($"{place.Port}")]));

    public static IReadOnlyList<Peer> All { get; } = [Nats, Mosquitto, Nchan, Ws];

    private static string Tls(SecureFiles? secure) => secure is null
        ? "  no_tls: true\n"
        : $"  tls {{\n    cert_file: \"{secure.CertificateFile}\"\n    key_file: \"{secure.KeyFile}\"\n  }}\n";

    private static string User(SecureFiles? secure) => secure is null
        ? ""
        : $"authorization {{\n  user: {secure.Access.Login}\n  password: \"{secure.Access.Passcode!.Value}\"\n}}\n";

    private static string ReadScript()
    {
        using var reader = new StreamReader(typeof(PeerList).Assembly.GetManifestResourceStream("peers/ws-echo.js")!);
        return reader.ReadToEnd();
    }
}
