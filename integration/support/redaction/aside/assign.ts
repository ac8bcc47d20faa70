/* Kept aside: whoever writes rules does not open this file. */

import { type Kind, kind } from '../kind.ts';

/** Assignments, and files that hold values under names. */
export const ASSIGN: readonly Kind[] = [
  kind('yaml secrets', 'structured file', [
    "oauth:\n  client_id: «kebab»\n  client_secret: '[[«A36»]]'",
    'auth:\n  token: [[«A32»]]',
    'encryption_key: "[[«h64»]]"',
    'production:\n  secret_key_base: [[«h128»]]',
    'jwt:\n  secret: [[«b64:32»]]\n  ttl: 3600',
  ]),
  kind('toml and ini', 'structured file', [
    '[registry]\ntoken = "[[«A32»]]"',
    '[smtp]\nhost=mail.«host»\npassword=[[«pw»]]',
    '[database]\nuser = "«user»"\npassword = "[[«gen»]]"',
    '[client]\nuser=«user»\npassword="[[«gen»]]"',
    '[«svc»]\napi_secret = [[«A40»]]',
  ]),
  kind('java properties', 'structured file', [
    'spring.datasource.password=[[«gen»]]',
    'db.password = [[«pw»]]',
    'keystore.password=[[«pw»]]\nkeystore.path=/etc/«svc».jks',
    'nexusPassword=[[«gen»]]',
    'security.oauth2.client.client-secret=[[«A40»]]',
  ]),
  kind('kubernetes secret', 'structured file', [
    'apiVersion: v1\nkind: Secret\nmetadata:\n  name: «svc»\ntype: Opaque\ndata:\n  password: [[«b64pw»]]\n',
    'kind: Secret\ndata:\n  «noun».key: [[«b64:24»]]\n  username: YWRtaW4=',
    'kind: Secret\nstringData:\n  connection: [[«gen»]]\n',
    'kubectl get secret «svc» -o yaml\napiVersion: v1\ndata:\n  token: [[«b64:48»]]\nkind: Secret',
  ]),
  kind('compose and workflow', 'structured file', [
    'services:\n  db:\n    environment:\n      POSTGRES_PASSWORD: [[«gen»]]',
    '    environment:\n      - MYSQL_PASSWORD=[[«pw»]]',
    'env:\n  DEPLOY_TOKEN: [[«A40»]]',
    '      - run: ./deploy --token [[«A32»]]',
    'variables:\n  SSH_PASS: "[[«gen»]]"',
  ]),
  kind('netrc and pgpass', 'structured file', [
    'machine «host»\n  login «user»\n  password [[«gen»]]',
    'machine api.heroku.com login «email» password [[«uuid»]]',
    '«host»:5432:«svc»:«user»:[[«gen»]]',
    'default login «user» password [[«pw»]]',
  ]),
  kind('docker config', 'structured file', [
    '{"auths":{"https://index.docker.io/v1/":{"auth":"[[«basic»]]"}}}',
    '{\n  "auths": {\n    "«host»": { "auth": "[[«basic»]]" }\n  }\n}',
    '{"auths":{"ghcr.io":{"username":"«user»","password":"[[«A40»]]"}}}',
    '.dockerconfigjson: [[«dockerjson»]]',
  ]),
  kind('kubeconfig', 'structured file', [
    'users:\n- name: «user»\n  user:\n    token: [[«jwt:RS256»]]',
    '    client-key-data: [[«b64:240»]]',
    'kubectl config set-credentials «user» --token=[[«jwt:RS256»]]',
    '- name: «svc»\n  user:\n    password: [[«gen»]]\n    username: admin',
  ]),
  kind('package manager auth', 'structured file', [
    '[global]\nindex-url = https://«user»:[[«genu»]]@«host»/simple',
    '{"http-basic":{"repo.«host»":{"username":"«user»","password":"[[«A32»]]"}}}',
    'BUNDLE_GEMS__«ORG»__COM: "«user»:[[«A24»]]"',
    '_auth=[[«basic»]]',
    '//npm.«host»/:_password="[[«b64:24»]]"',
    '<packageSourceCredentials><«word»><add key="ClearTextPassword" value="[[«A32»]]" /></«word»></packageSourceCredentials>',
  ]),
  kind('web framework settings', 'structured file', [
    "SECRET_KEY = 'django-insecure-[[«A50»]]'",
    "define('AUTH_KEY', '[[«A64»]]');",
    "define( 'DB_PASSWORD', '[[«gen»]]' );",
    'config :«svc», «Word»Web.Endpoint, secret_key_base: "[[«s64»]]"',
    "app.config['SECRET_KEY'] = '[[«A32»]]'",
    "'key' => 'base64:[[«b64:32»]]',",
    '<machineKey validationKey="[[«H128»]]" decryptionKey="[[«H64»]]" validation="SHA1" />',
  ]),
  kind('name and value', 'structured file', [
    '{"name":"DB_PASSWORD","value":"[[«gen»]]"}',
    '      - name: PGPASSWORD\n        value: "[[«A14-20»]]"',
    '<env name="«SVC»_SECRET" value="[[«A24»]]"/>',
    '{"key":"api_token","value":"[[«A40»]]","type":"string"}',
    '{ name = "JWT_SECRET", value = "[[«A32»]]" },',
    '| DB_PASSWORD | [[«gen»]] |',
  ]),
  kind('call with positional secret', 'assignment', [
    "jwt.sign(payload, '[[«A32»]]', { expiresIn: '1h' })",
    "crypto.createHmac('sha256', '[[«A24»]]')",
    "smtp.login('«email»', '[[«gen»]]')",
    'DriverManager.getConnection(url, "«user»", "[[«gen»]]")',
    "imap.login('«user»', '[[«pw»]]')",
    'r.SetBasicAuth("«user»", "[[«gen»]]")',
    'requests.get(url, auth=("«user»", "[[«pw»]]"))',
  ]),
  kind('comparison and test', 'assignment', [
    "if (password === '[[«pw»]]') return true;",
    'if token != "[[«A32»]]":',
    "await page.fill('#password', '[[«pw»]]');",
    "cy.get('input[name=password]').type('[[«pw»]]')",
    "fireEvent.change(password, { target: { value: '[[«pw»]]' } });",
    'driver.find_element(By.ID, "password").send_keys("[[«pw»]]")',
  ]),
];
