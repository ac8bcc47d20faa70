import { hasDigit, isNoName, type Rule, vendor } from './vendor-rule.ts';

const UUID = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';

/** Keys of databases, payment, mail, identity, and of services for developers, as their vendors document them. */
export const SERVICE_VENDORS: readonly Rule[] = [
  // Databases and storage
  vendor('neon', 'napi_ npg_', /napi_[a-z0-9]{60,70}|npg_[A-Za-z0-9]{12,24}(?![A-Za-z0-9_])/y, hasDigit),
  vendor('aiven', 'AVNS_', /AVNS_[A-Za-z0-9_-]{15,24}/y, isNoName),
  vendor('cockroach', 'CCDB1_', /CCDB1_[A-Za-z0-9]{22}_[A-Za-z0-9]{40}/y),
  vendor('mongodb', 'mdb_sa_sk_', /mdb_sa_sk_[A-Za-z0-9_-]{36,48}/y),
  vendor('clickhouse', '4b1d', /4b1d[A-Za-z0-9]{38}(?![A-Za-z0-9])/y, (secret) => /[G-Zg-z]/.test(secret)),
  vendor('fauna', 'fnA', /fnA[A-Za-z0-9_-]{37}(?![A-Za-z0-9_-])/y, isNoName),
  vendor('xata', 'xau_', /xau_[A-Za-z0-9]{24,64}/y, hasDigit),
  vendor('astra', 'AstraCS:', /AstraCS:[A-Za-z0-9]{20,28}:[a-f0-9]{64}/y),
  vendor('backblaze', 'K00', /K00[0-9][A-Za-z0-9/+]{27}(?![A-Za-z0-9/+])/y, isNoName),
  vendor('digitalocean', 'DO00', /DO00[A-Z0-9]{16}(?![A-Za-z0-9])/y),
  vendor('tigris', 'tsec_', /tsec_[A-Za-z0-9_+/-]{40,90}/y),
  vendor('elastic', 'essu_', /essu_[A-Za-z0-9+/=_-]{40,120}/y),
  vendor('tinybird', 'p.eyJ', /p\.eyJ[A-Za-z0-9_-]{20,400}\.[A-Za-z0-9_-]{16,80}/y),
  // Clouds
  vendor('aws', 'amzn.mws.', new RegExp(`amzn\\.mws\\.${UUID}`, 'y')),
  vendor('amazon', 'amzn1.oa2-cs.', /amzn1\.oa2-cs\.v1\.[a-f0-9]{64}/y),
  vendor('aws', 'IQoJb3JpZ2lu FwoGZXIvYXdz FQoGZXIvYXdz', /[A-Za-z0-9]{8}[A-Za-z0-9+/]{80,3000}={0,2}/y),
  vendor('cloudflare', 'cfut_ cfat_ cfk_', /cf[a-z]{1,2}_[A-Za-z0-9_-]{36,64}/y, hasDigit),
  vendor('render', 'rnd_', /rnd_[A-Za-z0-9]{26,40}(?![A-Za-z0-9_])/y, isNoName),
  vendor('scaleway', 'SCWSECRET', /SCWSECRET[A-Za-z0-9]{16,64}/y),
  vendor('yandex', 'AQVN', /AQVN[A-Za-z0-9_-]{35,38}/y, hasDigit),
  vendor('yandex', 't1.', /t1\.[A-Z0-9a-z_-]{20,400}={0,2}\.[A-Za-z0-9_-]{86}={0,2}/y),
  vendor('firebase', ':APA91b', /(?<=[A-Za-z0-9_-]{11,24}):(APA91b[A-Za-z0-9_-]{120,180})/y, undefined, {
    anywhere: true,
  }),
  vendor('google', '4/0A', /4\/0A[A-Za-z0-9_-]{40,120}/y),
  vendor('netbird', 'nbp_', /nbp_[A-Za-z0-9]{36}(?![A-Za-z0-9])/y),
  vendor('defined', 'dnkey-', /dnkey-[A-Za-z0-9=_-]{26}-[A-Za-z0-9=_-]{52}/y),
  vendor('openshift', 'sha256~', /sha256~[A-Za-z0-9_-]{43}/y),
  vendor('swarm', 'SWMTKN-1- SWMKEY-1-', /SWM[A-Z]{3}-1-[A-Za-z0-9+/]{25,60}(?:-[A-Za-z0-9]{20,30})?/y),
  vendor('rancher', 'token-', /token-[a-z0-9]{5}:([a-z0-9]{54})/y),
  vendor('portainer', 'ptr_', /ptr_[A-Za-z0-9+/]{40,50}={0,2}/y, hasDigit),
  vendor('infracost', 'ico-', /ico-[A-Za-z0-9]{32}(?![A-Za-z0-9])/y, isNoName),
  vendor('scalingo', 'tk-us-', /tk-us-[A-Za-z0-9_-]{48}/y),
  vendor(
    'authress',
    'sc_ ext_ scauth_ authress_',
    /[a-z]+_[a-z0-9]{5,30}\.[a-z0-9]{4,6}\.acc[_-][a-z0-9-]{10,32}\.[a-z0-9+/_=-]{30,120}/iy,
  ),
  vendor(
    'vault',
    's.',
    /s\.[A-Za-z0-9]{24}(?![A-Za-z0-9_.])/y,
    (secret) => /[A-Z]/.test(secret) && isNoName(secret),
  ),
  vendor('infisical', 'st.', /st\.[0-9a-f]{8,40}(?:-[0-9a-f]{4,12}){0,4}\.[0-9a-f]{32}\.[0-9a-f]{32}/y),
  // Passwords and identity
  vendor('1password', 'A3-', /A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}/y),
  vendor('1password', 'ops_', /ops_[A-Za-z0-9+/_-]{60,2000}={0,3}/y, isNoName),
  vendor('adobe', 'p8e-', /p8e-[A-Za-z0-9_-]{32}/y),
  vendor('stytch', 'secret-live- secret-test-', /secret-[a-z]+-[A-Za-z0-9_-]{35,40}={0,2}/y),
  vendor('plaid', 'access-', new RegExp(`access-(?:sandbox|development|production)-${UUID}`, 'y')),
  vendor('bitwarden', '0.', new RegExp(`0\\.${UUID}\\.[A-Za-z0-9]{20,40}:[A-Za-z0-9+/]{20,30}={0,2}`, 'y')),
  // Payment and shops
  vendor(
    'paddle',
    'pdl_',
    /pdl_(?:(?:live|sdbx)_)?[a-z]+_[a-z0-9]{24,28}_[A-Za-z0-9]{20,24}(?:_[A-Za-z0-9]{3})?/y,
  ),
  vendor('polar', 'polar_', /polar_[a-z]{2,4}_[A-Za-z0-9]{36,64}/y),
  vendor(
    'mollie',
    'live_ test_',
    /(?<![A-Za-z0-9_-])(?:live|test)_[A-Za-z0-9]{30,35}(?![A-Za-z0-9_-])/y,
    isNoName,
  ),
  vendor(
    'gocardless',
    'live_ sandbox_',
    /(?<![A-Za-z0-9_-])[a-z]+_[A-Za-z0-9_-]{40}(?![A-Za-z0-9_-])/y,
    isNoName,
  ),
  vendor('woocommerce', 'ck_ cs_', /c[ks]_[a-f0-9]{40}/y),
  vendor('shippo', 'shippo_', /shippo_(?:live|test)_[a-f0-9]{40}/y),
  vendor('duffel', 'duffel_', /duffel_(?:test|live)_[A-Za-z0-9_-]{43}/y),
  vendor('adyen', 'AQE', /AQE[A-Za-z0-9+/]{60,200}(?:-[A-Za-z0-9+/=.,]{20,80}){1,3}/y),
  // Mail and messages
  vendor('resend', 're_', /re_[A-Za-z0-9]{6,10}_[A-Za-z0-9]{20,32}(?![A-Za-z0-9_])/y, isNoName),
  vendor('mailersend', 'mlsn.', /mlsn\.[a-f0-9]{60,68}/y),
  vendor('mailgun', 'pubkey-', /pubkey-[0-9a-f]{32}/y),
  vendor('klaviyo', 'pk_', /pk_[0-9a-f]{34}(?![A-Za-z0-9])/y),
  vendor('clickup', 'pk_', /pk_[0-9]{6,10}_[A-Z0-9]{32}(?![A-Za-z0-9])/y),
  vendor('onesignal', 'os_v2_', /os_v2_(?:app|org)_[a-z2-7]{90,110}/y),
  vendor('pubnub', 'sec-c-', /sec-c-[A-Za-z0-9]{36,64}={0,2}|sec-c-[0-9a-f-]{36}/y),
  vendor('telnyx', 'KEY', /KEY[0-9A-F]{16,34}(?:_[A-Za-z0-9]{20,24})?(?![A-Za-z0-9])/y, hasDigit),
  vendor('sinch', 'xkey-', /xkey-[A-Za-z0-9]{24,64}/y, hasDigit),
];
