import { type Kind, vendorKey } from '../kind.ts';

/** Keys of payment and trade. Shapes as the vendors document them, or as gitleaks (https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml)
 * and GitHub (https://docs.github.com/en/code-security/reference/secret-security/supported-secret-scanning-patterns) list them. */
export const MONEY: readonly Kind[] = [
  vendorKey('stripe test and restricted', 'STRIPE_SECRET_KEY', '«stripekind»_51«A97»', [
    'Stripe.api_key = "[[%]]"',
  ]),
  vendorKey('square', 'SQUARE_ACCESS_TOKEN', 'EAAA«b60»', ['square: access_token=[[%]]']),
  vendorKey('flutterwave', 'FLW_SECRET_KEY', 'FLWSECK_TEST-«h32»-X'),
];
