/* Kept aside: whoever writes rules does not open this file. */

import { type Kind, kind, namedKey, vendorKey } from '../kind.ts';

/** Keys of clouds and hosts. Shapes as the vendors document them, or as gitleaks (https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml)
 * and GitHub (https://docs.github.com/en/code-security/reference/secret-security/supported-secret-scanning-patterns) list them. */
export const CLOUD: readonly Kind[] = [
  namedKey('aws secret access key', 'AWS_SECRET_ACCESS_KEY', '«s40»', [
    'aws configure set aws_secret_access_key [[%]]',
    'aws_secret_access_key = [[%]]\nregion = «region»',
    "new S3Client({ credentials: { accessKeyId: id, secretAccessKey: '[[%]]' } })",
  ]),
  vendorKey('google api key', ['GOOGLE_API_KEY', 'GEMINI_API_KEY', 'MAPS_API_KEY'], 'AIza«b35»', [
    'https://maps.googleapis.com/maps/api/geocode/json?address=«Word»&key=[[%]]',
    'x-goog-api-key: [[%]]',
  ]),
  vendorKey('google oauth client secret', 'GOOGLE_CLIENT_SECRET', 'GOCSPX-«b28»', [
    '"client_secret":"[[%]]","redirect_uris":["http://localhost"]',
  ]),
  vendorKey('google access token', 'GOOGLE_OAUTH_ACCESS_TOKEN', 'ya29.a0«b160-220»', [
    '$ gcloud auth print-access-token\n[[%]]',
  ]),
  kind('gcp service account', 'vendor key', [
    '{"type":"service_account","project_id":"«svc»-«env»","private_key":"-----BEGIN PRIVATE KEY-----\\n[[«s64»]]\\n[[«s64»]]\\n[[«s52»]]\\n-----END PRIVATE KEY-----\\n","client_email":"ci@«svc».iam.gserviceaccount.com"}',
    '  "private_key": "-----BEGIN PRIVATE KEY-----\\n[[«s64»]]\\n[[«s64»]]\\n[[«s40»]]\\n-----END PRIVATE KEY-----\\n",\n  "client_id": "1«d20»",',
  ]),
  vendorKey('alibaba access key', 'ALIBABA_CLOUD_ACCESS_KEY', 'LTAI5t«A18»', [
    'aliyun configure set --access-key-id [[%]]',
  ]),
  vendorKey('cloudflare origin ca', 'CF_ORIGIN_CA_KEY', 'v1.0-«h24»-«h146»', [
    'X-Auth-User-Service-Key: [[%]]',
  ]),
  vendorKey('heroku', 'HEROKU_API_KEY', 'HRKU-AA«b58»'),
  vendorKey('fly.io', 'FLY_API_TOKEN', 'fm2_«s180-260»', ['FLY_API_TOKEN="FlyV1 [[%]]" flyctl deploy']),
  vendorKey('netlify', 'NETLIFY_AUTH_TOKEN', 'nfp_«A36»', ['netlify deploy --auth [[%]] --prod']),
  namedKey('vercel', 'VERCEL_TOKEN', '«A24»', [
    'vercel --token [[%]] --prod',
    'vercel deploy --prebuilt -t [[%]]',
  ]),
  vendorKey('render', 'RENDER_API_KEY', 'rnd_«A28»'),
];
