import { type Kind, kind, namedKey, vendorKey } from '../kind.ts';

/** Keys of clouds and hosts. Shapes as the vendors document them, or as gitleaks (https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml)
 * and GitHub (https://docs.github.com/en/code-security/reference/secret-security/supported-secret-scanning-patterns) list them. */
export const CLOUD: readonly Kind[] = [
  vendorKey('aws access key', ['AWS_ACCESS_KEY', 'AWS_KEY'], '«awsid»«B16»', [
    'aws configure set aws_access_key_id [[%]] --profile «env»',
    'An error occurred (InvalidClientTokenId): The AWS Access Key Id [[%]] does not exist in our records.',
  ]),
  vendorKey('azure client secret', ['AZURE_CLIENT_SECRET', 'ARM_CLIENT_SECRET'], '«A3»8Q~«b34»', [
    'az login --service-principal -u «uuid» -p [[%]] --tenant «org».onmicrosoft.com',
    '  "password": "[[%]]",\n  "tenant": "«uuid»"',
  ]),
  kind('azure storage key', 'vendor key', [
    'DefaultEndpointsProtocol=https;AccountName=«org»«svc»;AccountKey=[[«b64:64»]];EndpointSuffix=core.windows.net',
    'az storage blob list --account-name «org» --account-key [[«b64:64»]]',
    'AZURE_STORAGE_KEY=[[«b64:64»]]',
    '"AzureWebJobsStorage": "DefaultEndpointsProtocol=https;AccountName=«svc»;AccountKey=[[«b64:64»]]"',
  ]),
  namedKey('cloudflare global key', 'CLOUDFLARE_API_KEY', '«h37»', [
    '-H "X-Auth-Email: «email»" -H "X-Auth-Key: [[%]]"',
  ]),
];
