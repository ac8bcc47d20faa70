/* Kept aside: whoever writes rules does not open this file. */

import { type Kind, namedKey, vendorKey } from '../kind.ts';

/** Keys of forges, registries and builds. Shapes as the vendors document them, or as gitleaks (https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml)
 * and GitHub (https://docs.github.com/en/code-security/reference/secret-security/supported-secret-scanning-patterns) list them. */
export const CODE: readonly Kind[] = [
  vendorKey('github app tokens', ['GITHUB_APP_TOKEN'], '«crc62:ghs_»', [
    'remote: https://x-access-token:[[%]]@github.com/«repo».git (fetch)',
    'Run actions/checkout@v4\n  with:\n    token: [[%]]',
  ]),
  vendorKey('gitlab personal', ['GITLAB_TOKEN', 'CI_PUSH_TOKEN'], 'glpat-«b20»', [
    'glab auth login --token [[%]]',
    'git clone https://oauth2:[[%]]@gitlab.«host»/«repo».git',
  ]),
  vendorKey('gitlab routable', 'GITLAB_TOKEN', 'glpat-«b27».0«l1».«l9»'),
  vendorKey('bitbucket app password', 'BITBUCKET_APP_PASSWORD', 'ATBB«A32»', [
    'git clone https://«user»:[[%]]@bitbucket.org/«repo».git',
  ]),
  vendorKey('pypi', ['TWINE_PASSWORD', 'PYPI_TOKEN'], 'pypi-AgEIcHlwaS5vcmc«b140-170»', [
    'twine upload -u __token__ -p [[%]] dist/*',
    'uv publish --token [[%]]',
  ]),
  vendorKey('buildkite', 'BUILDKITE_API_TOKEN', 'bkua_«h40»'),
  namedKey('snyk', 'SNYK_TOKEN', '«uuid»', ['snyk auth [[%]]']),
  vendorKey('pulumi', 'PULUMI_ACCESS_TOKEN', 'pul-«h40»'),
  vendorKey('doppler', 'DOPPLER_TOKEN', 'dp.pt.«A43»', ['doppler run --token=[[%]] -- npm start']),
  vendorKey('bitwarden secrets manager', 'BWS_ACCESS_TOKEN', '0.«uuid».«A30»:«b64:16»', [
    'bws secret list --access-token [[%]]',
  ]),
  vendorKey('jetbrains hub', ['YOUTRACK_TOKEN', 'TEAMCITY_TOKEN'], 'perm:«A20».«A7».«A30»'),
];
