import { isCoinKey } from './coins.ts';
import { hasDigit, isNoName, type Rule, vendor } from './vendor-rule.ts';

const UUID = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';

/** Keys of tools for developers and teams, of social networks, and of coins, as those document them. */
export const TOOL_VENDORS: readonly Rule[] = [
  // Code hosts, builds, packages
  vendor('gitlab', 'glrtr- glwt- GR1348941', /(?:gl[a-z]+-|GR1348941)[A-Za-z0-9_.-]{20,255}/y),
  vendor('azure-devops', 'AZDO', /(?<=(?<![A-Za-z0-9])[A-Za-z0-9]{76})AZDO[A-Za-z0-9]{4}/y, undefined, {
    anywhere: true,
    before: 76,
  }),
  vendor('octopus', 'API-', /API-[A-Z0-9]{25,32}(?![A-Za-z0-9])/y, hasDigit),
  vendor('harness', 'pat. sat.', /[ps]at\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}/y),
  vendor('travis', 'trv_', /trv_[A-Za-z0-9]{20,64}/y, hasDigit),
  vendor('snyk', 'snyk_', /snyk_(?:uat|sat|pat|api)\.[A-Za-z0-9._-]{20,400}/y),
  vendor('chromatic', 'chpt_', /chpt_[0-9a-f]{12,40}/y),
  vendor('codacy', 'codacy_', /codacy_[A-Za-z0-9]{20,64}/y, hasDigit),
  vendor('endor', 'endr+', /endr\+[A-Za-z0-9-]{16}/y),
  vendor('nightfall', 'NF-', /NF-[A-Za-z0-9]{32}(?![A-Za-z0-9])/y, isNoName),
  vendor('gemfury', 'fury_', /fury_[A-Za-z0-9]{16,40}/y, hasDigit),
  vendor('hex', 'hexpm_', /hexpm_[A-Za-z0-9]{20,64}/y, hasDigit),
  vendor('dbt', 'dbtc_ dbtu_', /dbt[cu]_[A-Za-z0-9_=-]{36,64}/y, hasDigit),
  vendor('metabase', 'mb_', /mb_[A-Za-z0-9+/]{40,48}={0,2}/y, isNoName),
  vendor('settlemint', 'sm_aat_ sm_pat_ sm_sat_', /sm_[aps]at_[A-Za-z0-9]{16,64}/y),
  vendor('sumologic', 'SU', /SU[A-Za-z0-9]{62}(?![A-Za-z0-9])/y, isNoName),
  vendor('grafana', 'eyJrIjoi', /eyJrIjoi[A-Za-z0-9]{50,400}={0,2}/y),
  vendor('configcat', 'configcat-', /configcat-(?:sdk|proxy)-[0-9]\/([A-Za-z0-9_-]{22}\/[A-Za-z0-9_-]{22})/y),
  vendor('maxmind', '_mmk', /(?<=(?<![A-Za-z0-9])[A-Za-z0-9]{6}_[A-Za-z0-9]{29})_mmk/y, undefined, {
    anywhere: true,
    before: 36,
  }),
  vendor('rapidapi', 'msh', /(?<=[a-z0-9]{10})msh[a-z0-9]{15}p1[a-z0-9]{6}jsn[a-z0-9]{12}/y, undefined, {
    anywhere: true,
    before: 10,
  }),
  // Teams and documents
  vendor('notion', 'secret_', /secret_[A-Za-z0-9]{43}(?![A-Za-z0-9_])/y),
  vendor('typeform', 'tfp_', /tfp_[A-Za-z0-9_.=-]{40,64}/y, hasDigit),
  vendor('trello', 'ATTA', /ATTA[a-f0-9]{60,80}/y),
  vendor('frameio', 'fio-u-', /fio-u-[A-Za-z0-9_=-]{60,68}/y),
  vendor('cal', 'cal_live_ cal_test_', /cal_[a-z]+_[a-f0-9]{32}/y),
  vendor('dropbox', 'sl.', /sl\.(?:u\.)?[A-Za-z0-9_-]{120,2000}/y),
  vendor(
    'asana',
    '1/ 2/',
    /(?:(?<![\w./-])|(?<=\\[nrt]))[12]\/[0-9]{12,20}(?:\/[0-9]{12,20})?:[a-f0-9]{32}/y,
  ),
  vendor('zoho', '1000.', /1000\.[a-f0-9]{32}\.[a-f0-9]{32}/y),
  vendor('salesforce', '00D', /00D[A-Za-z0-9]{12,15}![A-Za-z0-9._]{60,200}/y),
  vendor('linkedin', 'WPL_AP', /WPL_AP[0-9]\.[A-Za-z0-9]{16,40}\.[A-Za-z0-9+/=]{6,20}/y),
  vendor('intercom', 'dG9rO', /dG9rO[A-Za-z0-9+/]{40,80}={0,2}/y),
  vendor('readme', 'rdme_', /rdme_[A-Za-z0-9_]{20,90}/y, isNoName),
  vendor('slack', 'xwfp-', /xwfp-[A-Za-z0-9-]{20,255}/y, hasDigit),
  // Hooks, whose address is the secret
  vendor(
    'zapier',
    'hooks.zapier.com/hooks/',
    /hooks\.zapier\.com\/hooks\/[a-z]+\/([0-9]{3,12}\/[A-Za-z0-9]{5,12})/y,
  ),
  vendor('make', '.make.com/', /(?<=hook\.[a-z0-9]{2,8})\.make\.com\/([a-z0-9]{24,40})/y, undefined, {
    anywhere: true,
  }),
  vendor(
    'google',
    'chat.googleapis.com/',
    /chat\.googleapis\.com\/v1\/spaces\/[^\s"'\0]{5,40}\/messages\?key=[^\s"'&\0]{10,60}&token=([A-Za-z0-9_%-]{20,100})/y,
  ),
  vendor('feishu', '/bot/v2/hook/', new RegExp(`/bot/v2/hook/(${UUID})`, 'y'), undefined, { anywhere: true }),
  vendor('dingtalk', '/robot/send?access_token=', /\/robot\/send\?access_token=([0-9a-f]{64})/y, undefined, {
    anywhere: true,
  }),
  // Social networks
  vendor('discord', 'mfa.', /mfa\.[A-Za-z0-9_-]{60,100}/y, isNoName),
  vendor('twitch', 'oauth:', /oauth:([a-z0-9]{30})(?![A-Za-z0-9])/y, hasDigit),
  vendor('instagram', 'IGQ IGA', /IG[QA][A-Za-z0-9_-]{60,400}/y, hasDigit),
  vendor('twitter', 'AAAAAAAAAAAAAAAAAAAAA', /A{18,26}[A-Za-z0-9%+/=_-]{40,200}/y, hasDigit),
  vendor('yahoo', 'dj0yJmk9', /dj0yJmk9[A-Za-z0-9+/_-]{40,160}={0,2}-{0,2}/y),
  vendor('square', 'sandbox-sq0csb-', /sandbox-sq0csb-[A-Za-z0-9_-]{30,60}/y),
  // Coins: extended keys, and what signs
  vendor(
    'coin-key',
    '5H 5J 5K Kw Kx Ky Kz L1 L2 L3 L4 L5',
    /[5KL][1-9A-HJ-NP-Za-km-z]{50,51}(?![A-Za-z0-9])/y,
    isCoinKey,
  ),
  vendor('bip32', 'xprv yprv zprv tprv', /[xyzt]prv[1-9A-HJ-NP-Za-km-z]{100,112}/y),
  vendor('nostr', 'nsec1', /nsec1[02-9ac-hj-np-z]{58}/y),
];
