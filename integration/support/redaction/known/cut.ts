import { type Kind, kind } from '../kind.ts';

/** Secrets that are not in one piece. */
export const CUT: readonly Kind[] = [
  kind('cut by colours', 'cut', [
    '\u001b[32m[[«crc62:ghp_»]]\u001b[0m',
    '\u001b[1m\u001b[33mDB_PASSWORD\u001b[0m=\u001b[32m[[«gen»]]\u001b[0m',
    'ghp_[[«A14»]]\u001b[7m[[«A22»]]\u001b[0m',
    '\u001b[36mpassword\u001b[39m: \u001b[33m"[[«gen»]]"\u001b[39m',
    'AKIA[[«B8»]]\u001b[K[[«B8»]]',
  ]),
  kind('line continuation', 'cut', [
    'export TOKEN=ghp_[[«A16»]]\\\n[[«A20»]]',
    'curl -H "Authorization: Bearer sk-proj-[[«A40»]]\\\n[[«A34»]]" https://api.«host»',
    'key = "sk_live_51[[«A40»]]" \\\n      "[[«A57»]]"',
    'mysql -u «user» \\\n  -p[[«gen»]] \\\n  «svc»',
    'docker run \\\n  -e DB_PASSWORD=[[«pw»]] \\\n  postgres',
    'sshpass -p \\\n  [[«gen»]] ssh «host»',
  ]),
  kind(
    'cut between records',
    'cut',
    [
      'token: ghp_[[«A16»]]␞[[«A20»]]\n«log»',
      'AWS_SECRET_ACCESS_KEY=[[«s20»]]␞[[«s20»]]',
      'sk-ant-api03-[[«b50»]]␞[[«b43»]]AA',
      '-----BEGIN RSA PRIVATE KEY-----\n[[«s64»]]\n[[«s64»]]␞[[«s64»]]\n[[«s40»]]\n-----END RSA PRIVATE KEY-----',
    ],
    ['tool result', 'text'],
  ),
  kind('wrapped by a terminal', 'cut', [
    'Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.[[«b30»]]\n[[«b60»]]\n[[«b40»]]',
    'github_pat_[[«A22»]]_[[«A30»]]\n[[«A29»]]',
    'xoxb-«d12»-«d13»-[[«A12»]]\n[[«A12»]]',
  ]),
  kind('url encoded', 'cut', [
    'token%3D[[«A32»]]%26scope%3Drepo',
    'https://«host»/login?next=%2Fcb%3Faccess_token%3D[[«A40»]]',
    'password=[[«Pass»%21«d4»%24«A6»]]&username=«user»',
    'client_secret%22%3A%22[[«A36»]]%22',
  ]),
  kind('credentials in base64', 'cut', [
    'echo [[«b64envfile»]] | base64 -d > .env',
    'user_data = "[[«b64envfile»]]"',
    'GOOGLE_CREDENTIALS_BASE64=[[«b64:120»]]',
  ]),
];
