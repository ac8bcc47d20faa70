/* Kept aside: whoever writes rules does not open this file. */

import { type Kind, kind } from '../kind.ts';

/** Headers, cookies and addresses. */
export const WEB: readonly Kind[] = [
  kind('basic header', 'header or URL', [
    'Authorization: Basic [[«basic»]]',
    '-H "Authorization: Basic [[«basic»]]"',
    "'Authorization': 'Basic [[«basic»]]',",
    'Proxy-Authorization: Basic [[«basic»]]',
  ]),
  kind('jwt', 'header or URL', [
    'Authorization: Bearer [[«jwt»]]',
    'Cookie: session=[[«jwt»]]; Path=/',
    '{"id_token":"[[«jwt»]]","token_type":"Bearer"}',
    '«say» [[«jwt»]]',
    'https://«host»/cb?token=[[«jwt»]]&x=1',
    'token = "[[«jwt»]]"',
  ]),
  kind('oauth code and state', 'header or URL', [
    'https://«host»/callback?code=[[4/0A«b70»]]&scope=email',
    'grant_type=authorization_code&code=[[«h40»]]&client_id=«kebab»&client_secret=[[«b40»]]',
    '{"refresh_token":"[[«b64u:48»]]","expires_in":3600}',
    '{"access_token":"[[«A64»]]","token_type":"bearer"}',
    'code_verifier=[[«b64u:32»]]',
  ]),
  kind('generic webhook', 'header or URL', [
    'https://hooks.zapier.com/hooks/catch/«d7»/[[«l7»]]/',
    'https://prod-12.westeurope.logic.azure.com/workflows/«h32»/triggers/manual/paths/invoke?api-version=2016-10-01&sig=[[«b43»]]',
    'https://chat.googleapis.com/v1/spaces/AAAA«A7»/messages?key=AIza«h4»&token=[[«b43»]]',
    'webhook_secret: [[«h40»]]',
  ]),
];
