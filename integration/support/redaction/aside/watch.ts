/* Kept aside: whoever writes rules does not open this file. */

import { type Kind, namedKey, vendorKey } from '../kind.ts';

/** Keys of monitoring. Shapes as the vendors document them, or as gitleaks (https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml)
 * and GitHub (https://docs.github.com/en/code-security/reference/secret-security/supported-secret-scanning-patterns) list them. */
export const WATCH: readonly Kind[] = [
  namedKey('datadog', ['DD_API_KEY', 'DATADOG_API_KEY'], '«h32»', [
    'DD_API_KEY=[[%]] DD_SITE=datadoghq.eu bash -c install.sh',
    'DD-API-KEY: [[%]]',
  ]),
  vendorKey('sentry org token', 'SENTRY_AUTH_TOKEN', 'sntrys_ey«b64json»_«s43»', [
    'sentry-cli --auth-token [[%]] releases list',
  ]),
  vendorKey('honeycomb', 'HONEYCOMB_API_KEY', 'hcaik_01«l58»', ['X-Honeycomb-Team: [[%]]']),
  namedKey('pagerduty', ['PAGERDUTY_TOKEN', 'PD_API_TOKEN'], 'u+«A18»', ['Authorization: Token token=[[%]]']),
];
