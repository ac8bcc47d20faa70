import { type Kind, namedKey, vendorKey } from '../kind.ts';

/** Keys of forges, registries and builds. Shapes as the vendors document them, or as gitleaks (https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml)
 * and GitHub (https://docs.github.com/en/code-security/reference/secret-security/supported-secret-scanning-patterns) list them. */
export const CODE: readonly Kind[] = [
  vendorKey('github classic token', ['GITHUB_TOKEN', 'GH_TOKEN'], '«crc62:ghp_»', [
    'git remote set-url origin https://[[%]]@github.com/«repo».git',
    "fatal: unable to access 'https://«user»:[[%]]@github.com/«repo».git/': The requested URL returned error: 403",
    '$ gh auth token\n[[%]]',
  ]),
  vendorKey('github fine-grained token', ['GITHUB_TOKEN', 'GH_PAT'], 'github_pat_«A22»_«A59»', [
    'env:\n  GITHUB_TOKEN: [[%]]',
  ]),
  vendorKey('npm', 'NPM_TOKEN', '«crc62:npm_»', [
    '//registry.npmjs.org/:_authToken=[[%]]',
    'npm config set //registry.npmjs.org/:_authToken [[%]]',
  ]),
  vendorKey('docker hub', ['DOCKERHUB_TOKEN'], 'dckr_pat_«b27»'),
  namedKey('codecov', 'CODECOV_TOKEN', '«uuid»', [
    './codecov -t [[%]] -f coverage.xml',
    'codecov upload-process --token [[%]]',
  ]),
  vendorKey('hashicorp vault', 'VAULT_TOKEN', 'hvs.CAES«b90»', ['vault login [[%]]', 'X-Vault-Token: [[%]]']),
  vendorKey('1password service account', 'OP_SERVICE_ACCOUNT_TOKEN', 'ops_ey«b64json»', [
    'op --token [[%]] item list',
  ]),
  vendorKey('1password secret key', 'OP_SECRET_KEY', 'A3-«u6»-«u6»-«u5»-«u5»-«u5»-«u5»', [
    'op account add --address my.1password.com --email «email» --secret-key [[%]]',
  ]),
  vendorKey('harness', 'HARNESS_API_KEY', 'pat.«A22».«h24».«A20»', ['x-api-key: [[%]]']),
  vendorKey('readme', 'README_API_KEY', 'rdme_xn8s9h«l64»', ['rdme openapi --key [[%]]']),
];
