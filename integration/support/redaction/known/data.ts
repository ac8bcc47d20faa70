import { type Kind, vendorKey } from '../kind.ts';

/** Keys of databases and their hosts. Shapes as the vendors document them, or as gitleaks (https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml)
 * and GitHub (https://docs.github.com/en/code-security/reference/secret-security/supported-secret-scanning-patterns) list them. */
export const DATA: readonly Kind[] = [
  vendorKey('planetscale token', 'PLANETSCALE_SERVICE_TOKEN', 'pscale_tkn_«b43»', [
    'pscale connect «svc» main --service-token [[%]]',
  ]),
  vendorKey('supabase access token', 'SUPABASE_ACCESS_TOKEN', 'sbp_«h40»', ['supabase login --token [[%]]']),
  vendorKey('pinecone', 'PINECONE_API_KEY', 'pcsk_«A6»_«A62»', ["pc = Pinecone('[[%]]')"]),
];
