import { type Kind, namedKey, vendorKey } from '../kind.ts';

/** Keys of monitoring. Shapes as the vendors document them, or as gitleaks (https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml)
 * and GitHub (https://docs.github.com/en/code-security/reference/secret-security/supported-secret-scanning-patterns) list them. */
export const WATCH: readonly Kind[] = [
  vendorKey('grafana service account', 'GRAFANA_TOKEN', 'glsa_«A32»_«h8»', [
    "curl -H 'Authorization: Bearer [[%]]' https://grafana.«host»/api/org",
  ]),
  vendorKey('axiom', 'AXIOM_TOKEN', 'xaat-«uuid»'),
  namedKey('fastly', 'FASTLY_API_TOKEN', '«b32»', ['Fastly-Key: [[%]]']),
];
