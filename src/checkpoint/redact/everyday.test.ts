import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { redactText } from './redact.ts';
import { WORDS } from './rule/bip39-words.ts';

/** Texts of real files, logs and commands that were changed although nothing in them is secret. */
const PUBLIC = [
  'a section of the array identified by start, and the host is identified as windows-1255.',
  'ETag: W/"097a-c7PMdDeGTASx8qII8RpQKL7FfNf"',
  "script-src 'nonce-RbW4Y3Qe5h5kLTlQDi6FdN==' 'self'",
  'Content-Type: multipart/form-data; boundary=----WebKitFormBoundarybpzPtJ7ymIFiRhzg',
  'Cache hit for restore-key: node-cache-Linux-x64-npm-f912166d5f3033ed98f25f289d6bec51e2557b2a7bd7209de4125f6aceb0d612',
  'mysql -u root -p shop < dump.sql',
  'PublicKeyToken=b77a5c561934e089, Culture=neutral',
  'import { pathToFileURL as pathToFileURL$1 } from "node:url";',
  '{"kty":"EC","crv":"P-256","x":"-5W8vL9mOa1qVy4SAX57C0ZlOaUKaCXIpAaOsBgzwxw","y":"-RsAoiNoVLxydrPQyaxnyTUXobpT_hcNBS8ipx1h3qE"}',
  '<path d="M240-160h480v-400H240v400Zm296Q720v80h40q33 0 56.5 23.5T800-560v400q0 33-23.5 56.5T720-80H240Zm0-80h480v-400H240v400Zm296"/>',
  '<path d="M680-80v-120H560v-80h120v-120h80v120h120v80H760v120h-80ZM200-200v-200h80v120h120v80H200Zm0-360v-200h"/>',
  '||a.closeOnEnter!==!1&&t.keyCode==13&&(n.key!==D.C0.ETX&&n.key!==D.C0.CR)||(o.key=t?r.C0.ESC+`[1;`)',
  'Me.setStrictMode(je,e)}catch{}}var Pe=Math.clz32?Math.clz32:t',
  "begin: /[A-Za-z$_][\\u00C0-\\u02B80-9A-Za-z$_]*/, JAVA = '[\\u00C0-\\u02B8a-zA-Z_$][\\u00C0-\\u02B8a-zA-Z_$0-9]*'",
  "'border-image-width',\n  'border-left',\n  'border-left-color',\n  'border-left-style',\n  'border-left-width',\n  'border-right',\n",
  "  'pwd',\n  'python',\n  'python3',\n  'railway',\n  'security',\n",
  "const urlAlphabet = 'useandom-26T198340PX75pxJACKVERYMINDBUSHWOLF_GQZbfghjklqvwyzrict';",
  'Filename: pool/main/a/art-nextgen-simulation-tools/art-nextgen-simulation-tools_20160605+dfsg-4+b3_amd64.deb',
  'Depends: gcc-mipsisa64r6el-linux-gnuabi64, binutils-mipsisa64r6el-linux-gnuabi64',
  '-rw-r--r-- 7 root root  487 Nov 24 04:01 RandomGenerator-DcXj09Ch.d.ts',
  'The syntax thus is [protocol://][user[:password]@]proxyhost[:port].',
  '![logo](https://img.io/badge/jsoncpp%2F1.8.0-green.svg?logo=data:image/png;base64%2CiVBORw0KGgoAAAANSUhEUgAAAA4AAAAOCAMAAAAolt3jAAAA1VBMVEUAAABhlctjlstkl8tl%2BlMtlMmMxlcmxmcmxnmsxpnMxpnM)',
  'KeySerializationEncryptionBuilder(self._format, _kdf_rounds=self._kdf_rounds, _hmac_hash=self._hmac_hash)',
  "'TF2_OnWaitingForPlayersStart', 'OnTheFlyLinksForEntityGraphArbitrary'",
  'creds = base64.b64encode(proxy_passwd.encode()).decode("ascii")',
  'Set FACTORY_API_KEY=fk-dummy before the tests.',
  "cat >> oyster.java << 'END'\nkeyboard: ArrowUp+Shift, accessKey: s2\nEND\nls -la",
  JSON.stringify({ cmd: "cat >> a.java << 'END'\nkeyboard: ArrowUp+Shift, accessKey: s2\nEND\nls -la" }),
  JSON.stringify({ a: 'docker login ghcr.io -u ann --password-stdin\nmysql -u root -p shop < dump.sql' }),
  '# "@tailspin/users-cotton-token": "workspace:*",\ntrue',
  'kubectl get secret db -o yaml | grep password: && echo password: ok',
];

test.each(PUBLIC)('nothing is hidden in %s', async (text) => {
  expect(await redactText(text)).toBe(text);
  const line = JSON.stringify({ stdout: text });
  expect(await redactText(line)).toBe(line);
});

/** Places of secrets that were not found; the secret stands in brackets. */
const SECRET = [
  "'password' => '[thunder962]',",
  '{"password" : "[thunder962]"}',
  'Log in as ann@acme.io / [Winter8637!] on staging and check the cart.',
  'Das Passwort für die Testdatenbank lautet [HarborRocket#20]',
  'AZURE_OPENAI_KEY=[74cb078360940734107092a07079ad80]',
  '"DD-APPLICATION-KEY": "[44cf374d4f88c26e6ff51d95b9022d6e8f49872c]"',
  'x-honeycomb-team: [8xux2JOmxJuR771is0CqZp]',
  'client = Client("AC8adfd961c6abbcca300456129e93e555", "[625955cc01195f78b1661161d13fcadf]")',
  "algoliasearch('B1G2GM9NG0', '[4ee09c8acc290d13bed56c7624cdce1f]')",
  '$ cat config/master.key\n[e0e73a4504f040f9c3c5af792914a1bb]',
  'EMAIL_HOST_PASSWORD=[mmev eoql mluz lyuk]',
  "export BORG_PASSPHRASE='[velvet pepper window summer]'",
  'Your recovery codes:\n[dion9-c9m29]\njyzje-09rjm\nj8jn2-go63w',
  'x11vnc -passwd [hvls6045] -display :0',
  'beeline -u jdbc:hive2://h:10000 -n ann -p [7qK8uhX5FcMpRi74qcs]',
  "await page.getByLabel('Password').fill('[Tower@6920]');",
  "cy.get('#password').type('[Thunder3400!]')",
  'GET /v3/weather?q=Berlin&appid=[9bd63246cc6dc5f88a1542bcb2579f28]&units=metric',
  'helm upgrade --install shop ./chart --set postgresql.auth.password=[marble_velvet85] --set image.tag=1.2.3',
  'storePassword=[meadow_meadow85]\nkeyAlias=upload',
  'CREATE USER shop IDENTIFIED BY [tiger2024];',
  JSON.stringify({ m: 'can you fix this?\n\nsecret [738edb6ac85e6634b3ee9d948c5213f8d24db33cfc10693f]' }),
  JSON.stringify({ m: '$ cat key\n[2/6335399884409102/9934860464825809:ac13bb14b2c2a35d58e1f377978392ec]' }),
  '# password: |\n#   [OXQACSq1j%3_]\n# \ntrue',
];

test.each(SECRET)('a secret is hidden in %s', async (marked) => {
  const [, secret = ''] = /\[([^\]]+)\]/.exec(marked) ?? [];
  const text = marked.replace(`[${secret}]`, secret);
  expect(await redactText(text)).not.toContain(secret);
  expect(await redactText(JSON.stringify({ stdout: text }))).not.toContain(secret);
});

test('the words of wallets are those of BIP-39, byte by byte', () => {
  const digest = createHash('sha256')
    .update(`${WORDS.join('\n')}\n`)
    .digest('hex');
  expect(digest).toBe('2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda'); // of bips/bip-0039/english.txt
});

test('a phrase of the shortest words is found wherever it begins', async () => {
  const short = WORDS.filter(({ length }) => length === 3).reverse(); // in order they are a list
  const phrases = short.map((last) => [...short.slice(0, 11), last].join(' '));
  const redacted = await Promise.all(phrases.map((phrase) => redactText(phrase)));
  const valid = phrases.filter((phrase, at) => redacted[at] !== phrase);
  expect(valid.length).toBeGreaterThan(0); // every sixteenth last word has the right checksum
  for (let before = 0; before <= 90; before++) {
    const text = `${'#'.repeat(before)} ${valid[0]}`;
    expect(await redactText(text)).not.toContain(short[10]);
  }
});
