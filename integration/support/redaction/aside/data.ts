/* Kept aside: whoever writes rules does not open this file. */

import { type Kind, namedKey, vendorKey } from '../kind.ts';

/** Keys of databases and their hosts. Shapes as the vendors document them, or as gitleaks (https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml)
 * and GitHub (https://docs.github.com/en/code-security/reference/secret-security/supported-secret-scanning-patterns) list them. */
export const DATA: readonly Kind[] = [
  vendorKey('databricks', 'DATABRICKS_TOKEN', 'dapi«h32»', ['databricks configure --token [[%]]']),
  namedKey('algolia admin key', 'ALGOLIA_ADMIN_API_KEY', '«h32»', [
    "algoliasearch('APPID42', { adminApiKey: '[[%]]' })",
  ]),
  vendorKey('prefect', 'PREFECT_API_KEY', 'pnu_«A36»', ['prefect cloud login -k [[%]]']),
];
