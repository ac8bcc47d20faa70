import { type Kind, vendorKey } from '../kind.ts';

/** Keys of other services. Shapes as the vendors document them, or as gitleaks (https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml)
 * and GitHub (https://docs.github.com/en/code-security/reference/secret-security/supported-secret-scanning-patterns) list them. */
export const APPS: readonly Kind[] = [
  vendorKey('figma', 'FIGMA_TOKEN', 'figd_«b40»', [
    "curl -H 'X-Figma-Token: [[%]]' https://api.figma.com/v1/me",
  ]),
  vendorKey('asana', ['ASANA_TOKEN'], '2/«d16»/«d16»:«h32»'),
  vendorKey('launchdarkly', ['LAUNCHDARKLY_SDK_KEY', 'LD_ACCESS_TOKEN'], '«ldkind»-«uuid»'),
  vendorKey('dropbox', 'DROPBOX_ACCESS_TOKEN', 'sl.B«b140»'),
  vendorKey('adobe', 'ADOBE_CLIENT_SECRET', 'p8e-«A32»'),
];
