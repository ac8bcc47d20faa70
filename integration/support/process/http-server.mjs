// Repositories over HTTP, by `git http-backend` (https://git-scm.com/docs/git-http-backend), for whoever signs in. A
// process of its own, since tests wait for git without letting anything else run.
//
//   node http-server.mjs <folder of the repositories> <user:password>
//
// Prints its port once it listens.
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';

const [root, account] = process.argv.slice(2);
const expected = `Basic ${Buffer.from(account).toString('base64')}`;

const server = createServer((request, response) => {
  if (request.headers.authorization !== expected) {
    response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="git"' }).end();
    return;
  }
  const { pathname, searchParams } = new URL(request.url, 'http://localhost');
  const backend = spawn('git', ['http-backend'], {
    env: {
      ...process.env,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_PROTOCOL: request.headers['git-protocol'] ?? '',
      PATH_INFO: pathname,
      QUERY_STRING: searchParams.toString(),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      REMOTE_USER: account.split(':')[0],
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  backend.stdin.on('error', () => {}); // it may have read enough
  request.pipe(backend.stdin);
  let head = Buffer.alloc(0);
  const readHead = (part) => {
    head = Buffer.concat([head, part]);
    const end = head.indexOf('\r\n\r\n');
    if (end === -1) return;
    const lines = head.toString('latin1', 0, end).split('\r\n');
    const headers = Object.fromEntries(lines.map((line) => line.split(/: (.*)/s)));
    const { Status: status = '200', ...rest } = headers;
    response.writeHead(Number.parseInt(status, 10), rest);
    response.write(head.subarray(end + 4));
    backend.stdout.off('data', readHead);
    backend.stdout.pipe(response);
  };
  backend.stdout.on('data', readHead);
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
