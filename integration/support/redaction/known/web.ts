import { type Kind, kind } from '../kind.ts';

/** Headers, cookies and addresses. */
export const WEB: readonly Kind[] = [
  kind('bearer header', 'header or URL', [
    'Authorization: Bearer [[«A40»]]',
    "fetch(url, { headers: { Authorization: 'Bearer [[«b43»]]' } })",
    "curl -H 'Authorization: Bearer [[«A32»]]' https://«host»/v1/«noun»s",
    '> authorization: Bearer [[«b64u:32»]]\n< HTTP/2 200',
    '"Authorization": "Bearer [[«h64»]]"',
  ]),
  kind('key header', 'header or URL', [
    'X-Api-Key: [[«A32»]]',
    "-H 'x-auth-token: [[«h40»]]'",
    'apikey: [[«b40»]]',
    '"X-Access-Token": "[[«A28»]]"',
    'PRIVATE-TOKEN: [[«b20»]]',
    '< x-amz-security-token: [[«s120»]]',
  ]),
  kind('session cookie', 'header or URL', [
    'Set-Cookie: sessionid=[[«l32»]]; HttpOnly; Secure',
    'Cookie: theme=dark; PHPSESSID=[[«l26»]]',
    "curl -b 'connect.sid=s%3A[[«b32».«b43»]]' https://«host»",
    'Set-Cookie: _«svc»_session=[[«s120»]]--[[«h40»]]; path=/',
    '"cookie": "__Secure-next-auth.session-token=[[«uuid»]]"',
  ]),
  kind('token in a query', 'header or URL', [
    'https://«host»/api/«noun»s?api_key=[[«A32»]]',
    'GET /v1/«noun»?access_token=[[«b40»]]&page=2 200',
    'wss://«host»/socket?token=[[«h40»]]',
    'https://«host»/feed?private_token=[[«b20»]]',
    'POST /login?username=«user»&password=[[«pw0»]] 302',
  ]),
  kind('magic link', 'header or URL', [
    'https://«host»/reset-password?token=[[«b43»]]',
    'Reset link: https://«host»/users/password/edit?reset_password_token=[[«b20»]]',
    'https://«host»/auth/magic?code=[[«h48»]]&email=«email»',
    'https://«host»/invite/accept?invitation_token=[[«b22»]]',
  ]),
  kind('presigned url', 'header or URL', [
    'https://«svc».s3.«region».amazonaws.com/«word».csv?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Date=20260105T101112Z&X-Amz-Expires=3600&X-Amz-SignedHeaders=host&X-Amz-Signature=[[«h64»]]',
    'https://storage.googleapis.com/«org»/«word».zip?GoogleAccessId=ci%40«svc».iam.gserviceaccount.com&Expires=1767607872&Signature=[[«A120»%3D]]',
    'https://d1x2.cloudfront.net/v.mp4?Expires=1767607872&Signature=[[«b170»__]]&Key-Pair-Id=K«u13»',
  ]),
];
