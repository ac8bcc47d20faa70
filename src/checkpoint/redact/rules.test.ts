import { expect, test } from 'vitest';
import { expandSample } from '../../../integration/support/command/redaction-sample.ts';
import { redactJsonLines, redactName, redactText } from './redact.ts';

/** What stands in `[[…]]` is a secret; `{A24}` are so many letters and digits, made when the test runs. */
const FOUND: Readonly<Record<string, readonly string[]>> = {
  'command lines': [
    'gh secret set DEPLOY_TOKEN --body "[[{A20}]]" --repo acme/shop',
    'gh secret set X -b[[{l16}]]',
    'echo [[{A24}]] | docker login ghcr.io -u me --password-stdin',
    'echo "[[hunter2!x]]" | gh auth login --with-token',
    'gh auth login --with-token <<< "[[{A30}]]"',
    "aws secretsmanager create-secret --name prod/db --secret-string '[[{A14}]]'",
    'aws secretsmanager put-secret-value --secret-id prod --secret-string "{\\"password\\":\\"[[{A14}]]\\"}"',
    'aws ssm put-parameter --name /p/db --type SecureString --value "[[{A16}!]]"',
    'setx STRIPE_API_TOKEN "[[{A20}]]" /M',
    'set -x DEPLOY_TOKEN [[{A24}]]',
    'set -gx DB_PASSWORD [[swordfish]]',
    "set -Ux OPENAI_API_KEY '[[{A30}]]'",
    'setenv DB_PASSWORD [[tr0ub4dor]]',
    '[Environment]::SetEnvironmentVariable("API_TOKEN", "[[{A24}]]", "User")',
    '$sec = ConvertTo-SecureString "[[P4ssw0rd-Tango]]" -AsPlainText -Force',
    "ConvertTo-SecureString -String '[[Winter2024!]]' -AsPlainText",
    'zip -r -P [[s3cretZip99]] out.zip dir',
    'unzip -P [[bluewhale7]] a.zip',
    '7z a -p[[Tiger77tiger]] a.7z dir',
    'rar a -hp[[mypass99x]] x.rar f',
    'mysql -u root -p[[sup3rS3cret]] shop',
    "sshpass -p '[[toor-9981]]' ssh root@h",
    'curl -sSu admin:[[{A12}]] https://x.io/api',
    'openssl enc -aes-256-cbc -in a -out b -k [[mykey1234]]',
    'openssl rsa -in k.pem -passin pass:[[opens3same]]',
    "CREATE USER app IDENTIFIED BY '[[swordfish]]';",
    "ALTER USER 'root'@'localhost' IDENTIFIED WITH mysql_native_password BY '[[n3wp4ss]]';",
    "ALTER ROLE app WITH LOGIN PASSWORD '[[correcthorse]]';",
    "ALTER USER postgres PASSWORD '[[batterystaple]]';",
    "CREATE LOGIN web WITH PASSWORD = N'[[Str0ngOne]]';",
    'kubectl create secret generic db --from-literal=user=app --from-literal=password=[[{A12}]]',
    'kubectl create secret generic k --from-literal=a=[[{A12}]] --from-literal=b=[[{A14}]]',
    'keytool -genkey -keystore a.jks -storepass [[ch4ngedit]] -keypass [[another99]]',
    'net user deploy [[P@ssw0rd77]] /add',
    'htpasswd -nbB admin [[hunter2222]]',
    'sqlplus scott/[[tiger7scott]]@orcl',
    'ldapsearch -x -D cn=admin -w [[ldapS3cret]] -b dc=x',
    'smbclient //srv/share -U bob%[[b0bspass]]',
    'nmcli dev wifi connect Home password [[wifi-pass-77]]',
    'mc alias set m https://x AKIDX [[{A40}]]',
    'sqlcmd -S db -U sa -P [[Str0ng!Pass]]',
    'composer config http-basic.repo.acme.dev ci [[{A24}]]',
    'npm config set //npm.acme.dev/:_authToken [[{A20}]]',
    'aws configure set aws_secret_access_key [[{s40}]]',
    'vault write auth/approle/login role_id=x secret_id=[[{h8}-{h4}-{h4}-{h4}-{h12}]]',
  ],
  'files of a known form': [
    'database:\n  user: app\n  password: [[swordfish]]\n  port: 5432',
    'stringData:\n  password: |\n    [[{A24}]]\n  user: x',
    'token: >-\n  [[{A40}]]\nnext: 1',
    '<password>[[swordfish]]</password>',
    '<property name="password">[[hunter22]]</property>',
    '<entry key="db.password">[[blueWhale42]]</entry>',
    '<server><id>x</id><password><![CDATA[[[s3cr3tx99]]]]></password></server>',
    '<key>apiToken</key>\n<string>[[{A24}]]</string>',
    'spring.datasource.password=[[swordfish]]',
    '[client]\nuser=root\npassword=[[letmeinplease]]',
    'username = "app"\npassword = "[[correcthorse]]"',
    'machine api.x.io login ada password [[swordfish]]',
    'db.acme.dev:5432:shop:app:[[swordfish]]',
    'db.acme.dev:*:*:app:[[tr0ub4dor]]',
    '{"auths":{"ghcr.io":{"auth":"[[{s32}]]"}}}',
    '    client-key-data: [[LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQpNSUlFcEFJQkFBS0NBUUVBMFo{A60}]]',
    '[Interface]\nPrivateKey = [[{s43}]]=',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the alphabet of a sample
    'root:[[$6$abcdefgh${A86}]]:19000:0',
  ],
  'names and sentences': [
    '{"password": "[[swordfish]]"}',
    '{"user":"ada","apiKey": "[[{l32}]]"}',
    "const db = { user: 'app', pass: '[[hunter2222]]' };",
    'cfg.Password = "[[Sw0rdfish]]"',
    'String apiKey = "[[{A32}]]";',
    "$config['db_password'] = '[[blue-whale-x7]]';",
    "config.api_key = '[[{l24}]]'",
    'password="[[correcthorse]]"',
    'The password is [[hunter2-Xy]], change it.',
    'Login with admin, password: [[Tiger!2024]]',
    'STRIPE_KEY=[[{A24}]]',
    '"maps_key": "[[{A30}]]"',
    '{"secret_id": "[[{h8}-{h4}-{h4}-{h4}-{h12}]]"}',
    'ENC[PKCS7] psk="[[wlan-key-77]]"',
    'postgres://app:[[{A14}]]@db/x',
    'Endpoint=sb://x.servicebus.windows.net/;SharedAccessKey=[[{s43}]]=',
  ],
  'shapes of vendors': [
    'DISCORD_TOKEN=[[M{A25}.{A6}.{A38}]]',
    'curl -d @m.json https://discord.com/api/webhooks/123456789012345678/[[{b68}]]',
    'xi-api-key: [[{h32}]]',
    'ELEVEN=[[sk_{h48}]]',
    'key [[fw_{A24}]] works',
    '[[ops_eyJ{s300}]]',
    '[[A3-{u6}-{u11}-{u5}-{u5}-{u5}]]',
    '[[rdme_{l70}]]',
    'aws_access_key_id = [[AKIA{B16}]]',
  ],
  'random runs': ['see [[{A32}]] ok', 'see [[{A40}]] ok', 'see [[{b43}]] ok', 'see [[{l40}]] ok'],
  'what wallets are restored from': [
    '[[legal winner thank year wave sausage worth useful legal winner thank yellow]]',
    'words: [[abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about]]',
    '[[5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ]]',
  ],
  'tokens that colours and line ends cut': [
    'token \u001b[32m[[ghp_{A10}\u001b[0m{A26}]]',
    'run --token gh\\\np_[[{A36}]]',
    'export TOKEN=[[{A10}\\\n{A20}]]',
  ],
};

/** Of each class that was widened, and that no sample above is of. */
const MORE: readonly string[] = [
  'docker login ghcr.io <<< "[[{A20}]]" --username me --password-stdin',
  "7z x '-p[[Tiger77tiger]]' a.7z",
  'redis-cli -h db AUTH app [[{A20}]]',
  "echo '[[thunder_cricket01]]' | sudo -S apt-get update",
  'sshpass -p \\\n  [[s+D3xPKBG8IC]] ssh h',
  'System.getProperty("db.password", "[[pebblebridgehazel]]")',
  'MASTER_KEY = bytes.fromhex("[[{h64}]]")',
  'let password: &str = "[[canvas-tulip-91]]";',
  "INSERT INTO users (name, password) VALUES ('bot', '[[f0r35702!]]'), ('eve', '[[n3ctar-55]]');",
  'username,password\nada,[[l3montul1p]]\nbob,[[pepper77x]]\n',
  '| user | password |\n| --- | --- |\n| grace | [[cactus-lemon-canvas-meteor]] |',
  'ada@acme.dev:[[Tiger2024!]]',
  '$ openssl rand -hex 32\n[[{h64}]]',
  'secret [[{h48}]] for billing',
  'changed it to [[qA7!kZ3x#Lm9Wv2B]] today',
  'Cookie: theme=dark; PHPSESSID=[[{l26}]]',
  'https://acme.dev/auth/magic?code=[[{h48}]]&email=a',
  'https://d1x2.cloudfront.net/v.mp4?Expires=1767607872&Signature=[[{b120}]]',
  'xoxb-123456789012-1234567890123-[[{A12}]]\n[[{A12}]]\n',
  'the shared one is [[pP6lCXCDM6fMIPyQOjQD/YcAMQiAE+oh/sCIz4XcgQJ+]]',
];

test('what base64 hides is found by what it holds', async () => {
  const { text: key } = expandSample('{A32}', 3);
  const hidden = Buffer.from(`PAYMENTS_TOKEN=${key}\nHOST=x\n`).toString('base64');
  expect(await redactText(`echo ${hidden} | base64 -d > .env`)).toBe('echo REDACTED | base64 -d > .env');
  const shown = Buffer.from('Hello world, this is a text of no interest to anybody.').toString('base64');
  expect(await redactText(`echo ${shown}`)).toBe(`echo ${shown}`);
});

const LEFT: readonly string[] = [
  '{"version":3,"sources":["a.ts"],"mappings":"AAAA,SAASA,EAAQC,GACf,OAAOA,EAAEC,MAAM,KAAKC,IAAI,SAASC,GAC7C,OAAOA;{A30},{A40}"}',
  '//# sourceMappingURL=data:application/json;charset=utf-8;base64,eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpb{s200}',
  'https://docs.google.com/document/d/1{b43}/edit#heading=h.abc',
  'https://www.figma.com/file/{A22}/Shop?node-id=1-2',
  'https://www.notion.so/acme/Roadmap-{h32}',
  'https://drive.google.com/drive/folders/1{b32}?usp=sharing',
  'https://www.youtube.com/playlist?list=PL{b32}',
  'ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi',
  'digest: sha256:{h64}',
  '"integrity": "sha512-{s86}=="',
  'STRIPE_PUBLISHABLE=pk_test_{A24}',
  'NEXT_PUBLIC_STRIPE=pk_live_{A80}',
  'SHA256:{s43} me@host (ED25519)',
  'MD5:{h2}:{h2}:{h2}:{h2}:{h2}:{h2}',
  '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
  'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  '0x{h40}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder
  'your-api-key-here ${API_KEY} xxxxxxxxxxxxxxxxxxxxxxxxxxxx <YOUR_TOKEN>',
  'password: string\nusername: string',
  '{"username":"required","password":"required"}',
  '{ email: email, password: hashedPassword }',
  '"password": "Passwort", "username": "Benutzername"',
  '"forgotPassword": "Forgot your password?"',
  'user.password = hash',
  'The password is incorrect. The token is expired and the secret was removed.',
  'password: process.env.PASSWORD\nuser: x',
  'nextPageToken: "{b40}"',
  'etag: "{A32}"',
  'commit {h40}',
  'arn:aws:iam::123456789012:role/service-role/MyLambdaRole-1ABCDEF2GHIJ',
  'checkout-api-7d4b9c6f5d-x2k9z ip-10-0-112-34.eu-central-1.compute.internal',
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{s43} me@host',
  '|1|{s27}=|{s27}= ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQ{s300}',
  'PR_kwDO{A20} MDQ6VXNlcjEyMzQ1Njc4OTAxMjM0',
  'cs_test_a1{A56}',
  "primary_key: 'customer_number', cache_key: '{h32}' sort_key=created_at_2024",
  'mysql -u root -p shop < dump.sql && docker run -p 8080:80 nginx',
  'unzip -p archive.zip file | zip -r out.zip dir',
  'gh pr create --body "Fixes the login"',
  'aws secretsmanager get-secret-value --secret-id prod/db',
  'SecretId: prod/shop/database-credentials',
  'curl -s -o out.json https://api.acme.dev/v1/users?page=2',
  'net user interface changes are in this release',
  'openssl s_client -connect x:443 -showcerts; openssl x509 -in a -keyform pem',
  'the quick brown fox jumps over the lazy dog and then some more words follow here for all to see',
  'password123 is a bad password; use a manager',
  'SGVsbG8gd29ybGQsIHRoaXMgaXMgYSB0ZXN0IG9mIGJhc2U2NCB0ZXh0Lg==',
  'solana address 7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU',
  'recaptcha 6LdRcP4SAAAAAAbcdefGHIJKLMNOPQRSTUVWX123',
  'type: "password", autocomplete: "new-password"',
  'test_user_login_returns_200_when_password_v2_is_ok',
  'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPBdG',
  '{"clientId": "{A32}", "document_id": "{b44}"}',
  'https://acme.dev/docs/{b32}/edit',
  'gclid={A60}',
];

const fromLine = (line: string): string => (JSON.parse(line) as { text: string }).text;
const FORMS: ReadonlyArray<(text: string) => Promise<string>> = [
  redactText,
  async (text) => fromLine(await redactJsonLines(JSON.stringify({ text }))),
  async (text) =>
    fromLine(fromLine(await redactJsonLines(JSON.stringify({ text: JSON.stringify({ text }) })))),
];

const cases = Object.entries({ ...FOUND, 'other places': MORE }).flatMap(([kind, texts]) =>
  texts.map((text) => [kind, text] as const),
);

test.each(cases)('found in %s: %s', async (_, sample) => {
  for (const seed of [1, 2]) {
    const { text, secrets } = expandSample(sample, seed);
    for (const redact of FORMS) {
      const redacted = await redact(text);
      for (const secret of secrets) expect(redacted).not.toContain(secret.slice(0, 10));
      for (const secret of secrets) expect(redacted).not.toContain(secret.slice(-8));
      expect(await redact(redacted)).toBe(redacted);
    }
  }
});

test.each(LEFT)('left alone, for it is public or says nothing: %s', async (sample) => {
  for (const seed of [1, 2]) {
    const { text } = expandSample(sample, seed);
    for (const redact of FORMS) expect(await redact(text)).toBe(text);
  }
});

test('the name of a branch loses what has the shape of a key, and nothing else', () => {
  const { text: key } = expandSample('ghp_{A36}', 1);
  expect(redactName(`fix/${key}-token`)).toBe('fix/REDACTED-token');
  for (const name of [
    '',
    'main',
    'feature/password-reset-a1b2c3d4',
    'dependabot/npm_and_yarn/token-4f5e6d7c8b9a',
  ])
    expect(redactName(name)).toBe(name);
});

const line = (value: unknown): string => JSON.stringify(value);

test('ids in what tools are given and answer are replaced where they have the shape of a secret, and only there', async () => {
  const { text: key } = expandSample('ghp_{A36}', 1);
  const { text: id } = expandSample('{A36}', 1);
  const call = (secret: string): string =>
    line({
      id: key,
      type: 'tool_use',
      input: { client_id: secret, request_id: id, nested: [{ sessionId: secret }] },
    });
  expect(await redactJsonLines(call(key))).toBe(call('REDACTED'));
});

test.each(['secret_id', 'aws_access_key_id', 'apiKeyId'])('%s is no id', async (name) => {
  const { text: uuid } = expandSample('{h8}-{h4}-{h4}-{h4}-{h12}', 1);
  const { text: aws } = expandSample('AKIA{B16}', 1);
  const value = name === 'secret_id' ? uuid : aws;
  expect(await redactJsonLines(line({ [name]: value }))).toBe(line({ [name]: 'REDACTED' }));
});

test('a token that one record begins and the next one ends is replaced in both', async () => {
  const { text: key } = expandSample('ghp_{A36}', 1);
  const records = (...texts: string[]): string =>
    texts.map((stdout) => line({ type: 'out', stdout })).join('\n');
  const cut = records(`token ${key.slice(0, 20)}`, `${key.slice(20)} and more`);
  expect(await redactJsonLines(cut)).toBe(records('token REDACTED', 'REDACTED and more'));
  const whole = records(`token ${key}`, 'Done, and more');
  expect(await redactJsonLines(whole)).toBe(records('token REDACTED', 'Done, and more'));
});
