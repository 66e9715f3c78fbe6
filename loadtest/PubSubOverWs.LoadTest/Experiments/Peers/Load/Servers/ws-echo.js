// An echo with the package ws from npm, in the folder of the caller, above it, or where npm installs for all. Without a port it says its
// version, and nothing where the package is not there.
const { dirname, join } = require('node:path');

const places = { paths: [process.cwd(), join(dirname(process.execPath), '..', 'lib')] };
const port = process.argv[1];
if (port === undefined) {
  try {
    console.log(require(require.resolve('ws/package.json', places)).version);
  } catch {
    process.exitCode = 1;
  }
} else {
  const { WebSocketServer } = require(require.resolve('ws', places));
  new WebSocketServer({ host: '127.0.0.1', port: Number(port) }).on('connection', (socket) =>
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary })));
}
