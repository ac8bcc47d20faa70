import { type Kind, kind } from '../kind.ts';

/** Key material. */
export const KEYS: readonly Kind[] = [
  kind('rsa private key', 'key material', [
    '-----BEGIN RSA PRIVATE KEY-----\n[[«pem:RSA»]]\n-----END RSA PRIVATE KEY-----',
    'cat ~/.ssh/id_rsa\n-----BEGIN RSA PRIVATE KEY-----\n[[«pem:RSA»]]\n-----END RSA PRIVATE KEY-----\n$',
    'const KEY = `-----BEGIN RSA PRIVATE KEY-----\n[[«pem:RSA»]]\n-----END RSA PRIVATE KEY-----`;',
  ]),
  kind('openssh private key', 'key material', [
    '-----BEGIN OPENSSH PRIVATE KEY-----\n[[«pem:OPENSSH»]]\n-----END OPENSSH PRIVATE KEY-----\n',
    "cat > ~/.ssh/id_ed25519 <<'EOF'\n-----BEGIN OPENSSH PRIVATE KEY-----\n[[«pem:OPENSSH»]]\n-----END OPENSSH PRIVATE KEY-----\nEOF",
  ]),
  kind('private key in a patch', 'key material', [
    'diff --git a/key.pem b/key.pem\n+-----BEGIN RSA PRIVATE KEY-----\n+[[«s64»]]\n+[[«s64»]]\n+-----END RSA PRIVATE KEY-----',
    '--- /dev/null\n+++ b/deploy.key\n@@ -0,0 +1,4 @@\n+-----BEGIN EC PRIVATE KEY-----\n+[[«s64»]]\n+[[«s64»]]\n+[[«s24»]]\n+-----END EC PRIVATE KEY-----',
  ]),
  kind('private key cut off', 'key material', [
    'head -3 server.key\n-----BEGIN RSA PRIVATE KEY-----\n[[«s64»]]\n[[«s64»]]\n$ ls',
    '-----BEGIN PRIVATE KEY-----\n[[«s64»]]\n[[«s64»]]\n... (22 more lines)',
  ]),
  kind('pgp and putty keys', 'key material', [
    '-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n[[«pem:PGP»]]\n=abCd\n-----END PGP PRIVATE KEY BLOCK-----',
    'PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\nPrivate-Lines: 3\n[[«s64»]]\n[[«s64»]]\n[[«s44»]]\nPrivate-MAC: «h64»',
  ]),
  kind('age key', 'key material', [
    '# created: «ts»\n# public key: age1«e58»\n[[AGE-SECRET-KEY-1«E58»]]',
    'SOPS_AGE_KEY=[[AGE-SECRET-KEY-1«E58»]]',
    '«say» [[AGE-SECRET-KEY-1«E58»]]',
  ]),
  kind('wireguard', 'key material', [
    '[Interface]\nPrivateKey = [[«b64:32»]]\nAddress = «ip»/24',
    'wg set wg0 private-key <(echo [[«b64:32»]])',
    'PresharedKey = [[«b64:32»]]\nAllowedIPs = 0.0.0.0/0',
    '$ wg genkey\n[[«b64:32»]]',
  ]),
  kind('jwk private', 'key material', [
    '{"kty":"OKP","crv":"Ed25519","x":"«b64u:32»","d":"[[«b64u:32»]]"}',
    '{"kty":"RSA","e":"AQAB","n":"«b64u:256»","d":"[[«b64u:256»]]"}',
    '{\n  "kty": "EC",\n  "crv": "P-256",\n  "d": "[[«b64u:32»]]"\n}',
    '{"kty":"oct","k":"[[«b64u:32»]]","alg":"HS256"}',
  ]),
  kind('encryption keys', 'key material', [
    'ENCRYPTION_KEY=[[«h64»]]',
    'ANSIBLE_VAULT_PASSWORD=[[«gen»]]',
    'MASTER_KEY = bytes.fromhex("[[«h64»]]")',
    'RAILS_MASTER_KEY=[[«h32»]]',
    "const iv = x, key = Buffer.from('[[«b64:32»]]', 'base64')",
    'FERNET_KEY=[[«b64u:32»=]]',
  ]),
  kind('bip-39 phrase', 'key material', [
    'MNEMONIC="[[«bip39:12»]]"',
    'my seed phrase is [[«bip39:12»]]',
    'mnemonic: [[«bip39:24»]]',
    "HDNodeWallet.fromPhrase('[[«bip39:12»]]')",
    '«say»\n[[«bip39:24»]]',
    "accounts: { mnemonic: '[[«bip39:12»]]', count: 5 }",
  ]),
  kind('password hashes in shadow', 'key material', [
    '«user»:[[$6$«A16»$«A86»]]:19700:0:99999:7:::',
    '«user»:[[$2y$10$«A53»]]',
    '«user»:[[$apr1$«A8»$«A22»]]',
    'root:[[$y$j9T$«A22»$«A43»]]:19800::::::',
  ]),
];
