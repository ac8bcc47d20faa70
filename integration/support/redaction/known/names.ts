import { type Kind, kind } from '../kind.ts';

/** Names that end in “id”, and names of branches and files. */
export const NAMES: readonly Kind[] = [
  kind('secret_id key', 'assignment', [
    '{"role_id":"«uuid»","secret_id":"[[«uuid»]]"}',
    'vault write auth/approle/login role_id=«uuid» secret_id=[[«uuid»]]',
    '"secret_id": "[[«A36»]]"',
    'VAULT_SECRET_ID=[[«uuid»]]',
    'TENCENTCLOUD_SECRET_ID: [[AKID«A32»]]',
  ]),
  kind('aws_access_key_id key', 'vendor key', [
    '{"aws_access_key_id":"[[«awsid»«B16»]]","aws_secret_access_key":"[[«s40»]]"}',
    'aws_access_key_id = [[«awsid»«B16»]]\naws_secret_access_key = [[«s40»]]',
    'AWS_ACCESS_KEY_ID=[[«awsid»«B16»]] aws s3 ls s3://«svc»',
    '{"AccessKeyId":"[[ASIA«B16»]]","SecretAccessKey":"[[«s40»]]","Expiration":"«ts»"}',
    "boto3.client('sts', aws_access_key_id='[[«awsid»«B16»]]', aws_secret_access_key='[[«s40»]]')",
  ]),
  kind(
    'branch name',
    'metadata',
    [
      'feature/rotate-[[«crc62:ghp_»]]',
      'fix/«word»-[[sk_live_51«A97»]]',
      '«user»/try-[[«awsid»«B16»]]',
      'wip-[[glpat-«A20»]]',
    ],
    ['branch'],
  ),
  kind(
    'file name',
    'metadata',
    [
      '«dir»/exports/[[«crc62:ghp_»]].json',
      '«dir»/tmp/[[xoxb-«d12»-«d13»-«A24»]].log',
      '«dir»/keys/[[AIza«A35»]]/«word».txt',
      '/tmp/[[sk-ant-api03-«A93»AA]].txt',
    ],
    ['path'],
  ),
];
