/* Kept aside: whoever writes rules does not open this file. */

import { type Kind, vendorKey } from '../kind.ts';

/** Keys of payment and trade. Shapes as the vendors document them, or as gitleaks (https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml)
 * and GitHub (https://docs.github.com/en/code-security/reference/secret-security/supported-secret-scanning-patterns) list them. */
export const MONEY: readonly Kind[] = [
  vendorKey('stripe live', 'STRIPE_SECRET_KEY', 'sk_live_51«A97»', [
    'stripe listen --api-key [[%]]',
    'curl https://api.stripe.com/v1/charges -u [[%]]:',
  ]),
  vendorKey('braintree', 'BRAINTREE_ACCESS_TOKEN', 'access_token$production$«l16»$«h32»'),
  vendorKey('shopify', 'SHOPIFY_ACCESS_TOKEN', 'shpat_«h32»', ['X-Shopify-Access-Token: [[%]]']),
  vendorKey('easypost', 'EASYPOST_API_KEY', 'EZAK«A54»'),
  vendorKey('gocardless', 'GOCARDLESS_ACCESS_TOKEN', 'live_«b40»'),
];
