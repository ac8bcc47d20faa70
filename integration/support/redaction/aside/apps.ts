/* Kept aside: whoever writes rules does not open this file. */

import { type Kind, namedKey, vendorKey } from '../kind.ts';

/** Keys of other services. Shapes as the vendors document them, or as gitleaks (https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml)
 * and GitHub (https://docs.github.com/en/code-security/reference/secret-security/supported-secret-scanning-patterns) list them. */
export const APPS: readonly Kind[] = [
  vendorKey('notion', 'NOTION_TOKEN', 'ntn_«d11»«A35»', ["new Client({ auth: '[[%]]' })"]),
  vendorKey('hubspot', 'HUBSPOT_ACCESS_TOKEN', 'pat-na1-«uuid»'),
  vendorKey('contentful', 'CONTENTFUL_MANAGEMENT_TOKEN', 'CFPAT-«b43»'),
  vendorKey('typeform', 'TYPEFORM_TOKEN', 'tfp_«A44»_«b14»'),
  vendorKey('tailscale', 'TS_AUTHKEY', 'tskey-auth-k«A11»CNTRL-«A32»', ['tailscale up --authkey [[%]]']),
  vendorKey('trello', 'TRELLO_TOKEN', 'ATTA«h64»«H8»'),
  vendorKey('adafruit', 'ADAFRUIT_IO_KEY', 'aio_«A28»'),
  namedKey('auth0', 'AUTH0_CLIENT_SECRET', '«b64u:48»'),
  vendorKey('openshift', 'OPENSHIFT_TOKEN', 'sha256~«b43»', [
    'oc login --token=[[%]] --server=https://api.«host»:6443',
  ]),
];
