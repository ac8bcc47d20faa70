import { isWordy } from './redact-entropy.ts';
import { isStandIn } from './redact-passwords.ts';

/**
 * One shape of a secret. Every expression is linear: repeated classes never overlap with what follows, and have a
 * greatest length.
 */
export interface Rule {
  /** Names the rule where findings are counted. */
  readonly id: string;
  /** What the shape begins with. */
  readonly starts: readonly string[];
  /** The secret is the first group, which ends the match; or, without a group, the match. */
  readonly pattern: RegExp;
  /** Says no to what has the shape and is no secret. */
  readonly isSecret?: (secret: string) => boolean;
  /** Whether the match may follow a letter or digit. */
  readonly anywhere?: true;
  /** Units before the match that belong to the secret. */
  readonly before?: number;
}

const hasDigit = (text: string): boolean => /[0-9]/.test(text);
const isNoName = (secret: string): boolean => hasDigit(secret) && !isWordy(secret);

/** `starts` are separated by spaces. A shape that only keeps a place (`ghp_xxxx…`) is none. */
function vendor(
  id: string,
  starts: string,
  pattern: RegExp,
  isSecret: (secret: string) => boolean = () => true,
  place: Pick<Rule, 'anywhere' | 'before'> = {},
): Rule {
  return {
    id,
    starts: starts.split(' '),
    pattern,
    isSecret: (secret) => !isStandIn(secret) && isSecret(secret),
    ...place,
  };
}

/** Keys as their vendors document them. */
export const VENDORS: readonly Rule[] = [
  vendor('aws', 'AKIA ASIA ABIA ACCA', /.{4}[A-Z0-9]{16}(?![A-Za-z0-9])/y),
  vendor('aws', 'ABSK', /ABSK[A-Za-z0-9+/]{100,270}={0,2}/y),
  vendor('aws', 'X-Amz-Signature=', /X-Amz-Signature=([0-9a-f]{64})/y),
  vendor('github', 'ghp_ gho_ ghu_ ghs_ ghr_', /gh._[A-Za-z0-9_]{36,255}/y),
  vendor('github', 'github_pat_', /github_pat_[A-Za-z0-9_]{22,255}/y),
  vendor(
    'gitlab',
    'glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- glsoat- glffct- gloas-',
    /gl[a-z]+-[A-Za-z0-9_.-]{20,255}/y,
  ),
  vendor('bitbucket', 'ATBB', /ATBB[A-Za-z0-9]{28,64}/y, hasDigit),
  vendor('bitbucket', 'ATCTT3', /ATCTT3[A-Za-z0-9_=-]{60,300}/y),
  vendor('atlassian', 'ATATT3', /ATATT3[A-Za-z0-9_=-]{60,300}/y),
  vendor('slack', 'xox', /xox[abceoprs](?:\.xox[bp])?-[A-Za-z0-9-]{10,255}/y, hasDigit),
  vendor('slack', 'xapp-', /xapp-[0-9]-[A-Za-z0-9-]{10,255}/y),
  vendor(
    'slack',
    'hooks.slack.com/',
    /hooks\.slack\.com\/(?:services|workflows|triggers)\/([A-Za-z0-9+/]{8,120})/y,
  ),
  vendor('google', 'AIza', /AIza[A-Za-z0-9_-]{35}/y),
  vendor('google', 'GOCSPX-', /GOCSPX-[A-Za-z0-9_-]{20,64}/y),
  vendor('google', 'ya29.', /ya29\.[A-Za-z0-9_-]{20,2000}/y),
  vendor('google', '1//0', /1\/\/0[A-Za-z0-9_-]{40,200}/y),
  vendor('stripe', 'sk_live_ rk_live_ sk_test_ rk_test_ sk_prod_ rk_prod_', /.k_[a-z]+_[A-Za-z0-9]{10,255}/y),
  vendor('stripe', 'whsec_', /whsec_[A-Za-z0-9+/=]{24,255}/y),
  vendor('sk-', 'sk-', /sk-(?:ant|proj|svcacct|admin|or|lf|None)-[A-Za-z0-9_-]{16,255}/y, hasDigit),
  vendor('sk-', 'sk-', /sk-(?:[A-Za-z0-9]{20,255}|[A-Za-z0-9_-]{40,255})/y, isNoName),
  vendor('npm', 'npm_', /npm_[A-Za-z0-9]{36,255}/y),
  vendor('pypi', 'pypi-', /pypi-(?:AgE[A-Za-z0-9_-]{16,1000}|[A-Za-z0-9_-]{40,1000})/y, hasDigit),
  vendor('rubygems', 'rubygems_', /rubygems_[a-f0-9]{48}/y),
  vendor('cargo', 'cio', /cio[A-Za-z0-9]{32}(?![A-Za-z0-9])/y, isNoName),
  vendor('nuget', 'oy2', /oy2[a-z0-9]{43}(?![A-Za-z0-9])/y),
  vendor('docker', 'dckr_pat_ dckr_oat_', /dckr_.at_[A-Za-z0-9_-]{24,64}/y),
  vendor('supabase', 'sb_secret_', /sb_secret_[A-Za-z0-9_-]{16,255}/y),
  vendor('supabase', 'sbp_', /sbp_[a-f0-9]{40}/y),
  vendor('sendgrid', 'SG.', /SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,128}/y),
  vendor('mailgun', 'key-', /key-[0-9a-f]{32}(?![A-Za-z0-9])/y),
  vendor('brevo', 'xkeysib- xsmtpsib-', /x[a-z]+-[a-f0-9]{64}-[A-Za-z0-9]{16}/y),
  vendor('shopify', 'shpat_ shpca_ shppa_ shpss_', /shp.._[A-Za-z0-9]{32,64}/y),
  vendor('square', 'sq0csp- sq0atp- sq0idp-', /sq0[a-z]{3}-[A-Za-z0-9_-]{22,60}/y),
  vendor('square', 'EAAA', /EAAA[A-Za-z0-9_-]{56,64}(?![A-Za-z0-9_-])/y, hasDigit),
  vendor('facebook', 'EAA', /EAA[A-Za-z0-9]{80,400}/y, hasDigit),
  vendor('paypal', 'access_token$', /access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}/y),
  vendor(
    'razorpay',
    'rzp_live_ rzp_test_',
    /rzp_[a-z]+_[A-Za-z0-9]{4,32}["'], {0,2}["']([A-Za-z0-9]{16,64})/y,
  ),
  vendor('flutterwave', 'FLWSECK', /FLWSECK(?:_TEST)?-[a-z0-9]{12,64}(?:-X)?/y),
  vendor('linear', 'lin_api_ lin_oauth_', /lin_[a-z]+_[A-Za-z0-9_]{32,128}/y),
  vendor('notion', 'ntn_', /ntn_[A-Za-z0-9]{40,64}/y),
  vendor('airtable', 'pat', /pat[A-Za-z0-9]{14}\.[a-f0-9]{64}/y),
  vendor('hubspot', 'pat-na pat-eu', /pat-(?:na|eu)[0-9]-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/y),
  vendor('huggingface', 'hf_', /hf_[A-Za-z0-9]{30,64}/y),
  vendor('groq', 'gsk_', /gsk_[A-Za-z0-9]{40,64}/y),
  vendor('xai', 'xai-', /xai-[A-Za-z0-9]{60,100}/y),
  vendor('perplexity', 'pplx-', /pplx-[A-Za-z0-9]{40,64}/y, hasDigit),
  vendor('replicate', 'r8_', /r8_[A-Za-z0-9]{37}/y),
  vendor('langsmith', 'lsv2_', /lsv2_[a-z]{2}_[0-9a-f]{32}_[0-9a-f]{10}/y),
  vendor('pinecone', 'pcsk_', /pcsk_[A-Za-z0-9]{4,10}_[A-Za-z0-9]{40,80}/y),
  vendor('digitalocean', 'dop_v1_ doo_v1_ dor_v1_', /do._v1_[a-f0-9]{64}/y),
  vendor('alibaba', 'LTAI', /LTAI[A-Za-z0-9]{12,26}(?![A-Za-z0-9])/y, hasDigit),
  vendor('tencent', 'AKID', /AKID[A-Za-z0-9]{32}(?![A-Za-z0-9])/y, hasDigit),
  vendor('cloudflare', 'v1.0-', /v1\.0-[0-9a-f]{24}-[0-9a-f]{120,180}/y),
  vendor('heroku', 'HRKU-', /HRKU-[A-Za-z0-9_-]{36,80}/y, hasDigit),
  vendor('fly', 'FlyV1', /FlyV1 ((?:fm[12][ar]?_[A-Za-z0-9+/=,_-]{40,4000}))/y),
  vendor('fly', 'fm1 fm2', /fm[12][ar]?_[A-Za-z0-9+/=]{80,4000}/y),
  vendor('fly', 'fo1_', /fo1_[A-Za-z0-9_-]{40,64}/y),
  vendor('netlify', 'nfp_ nfc_ nfo_ nfu_', /nf._[A-Za-z0-9]{36,64}/y),
  vendor('planetscale', 'pscale_', /pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,64}/y),
  vendor('postman', 'PMAK-', /PMAK-[a-f0-9]{24}-[a-f0-9]{34}/y),
  vendor('pulumi', 'pul-', /pul-[a-f0-9]{40}/y),
  vendor(
    'terraform',
    '.atlasv1.',
    /(?<=(?<![A-Za-z0-9])[A-Za-z0-9]{14})\.atlasv1\.[A-Za-z0-9_=-]{60,70}/y,
    undefined,
    { anywhere: true, before: 14 },
  ),
  vendor('doppler', 'dp.', /dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}/y),
  vendor('vault', 'hvs. hvb. hvr.', /hv.\.[A-Za-z0-9_-]{24,300}/y, hasDigit),
  vendor('1password', 'ops_ey', /ops_ey[A-Za-z0-9+/=]{100,2000}/y),
  vendor('age', 'AGE-SECRET-KEY-1', /AGE-SECRET-KEY-1[A-Z0-9]{58}/y),
  vendor('tailscale', 'tskey-', /tskey-[a-z]+-[A-Za-z0-9]{6,40}(?:-[A-Za-z0-9]{10,64})?/y, hasDigit),
  vendor('circleci', 'CCIPAT_ CCIPRJ_', /CCIP[A-Z]+_[A-Za-z0-9]{16,40}_[a-f0-9]{40}/y),
  vendor('buildkite', 'bkua_', /bkua_[a-f0-9]{40}/y),
  vendor('sonar', 'sqp_ squ_ sqa_', /sq._[a-f0-9]{40}/y),
  vendor('jfrog', 'AKCp', /AKCp[A-Za-z0-9]{60,75}/y, hasDigit),
  vendor('jfrog', 'cmVmdGtuO', /cmVmdGtuO[A-Za-z0-9]{50,70}/y),
  vendor('sentry', 'sntrys_ sntryu_', /sntry._[A-Za-z0-9+/=_-]{40,400}/y),
  vendor('grafana', 'glsa_', /glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}/y),
  vendor('grafana', 'glc_', /glc_[A-Za-z0-9+/=]{32,400}/y, hasDigit),
  vendor('newrelic', 'NRAK- NRJS- NRAA- NRII-', /NR..-[A-Za-z0-9_-]{19,40}/y, hasDigit),
  vendor('dynatrace', 'dt0', /dt0[a-z][0-9]{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}/y),
  vendor('figma', 'figd_ figo_ figu_', /fig._[A-Za-z0-9_-]{36,64}/y, hasDigit),
  vendor('databricks', 'dapi', /dapi[a-f0-9]{32}(?:-[0-9])?/y),
  vendor('contentful', 'CFPAT-', /CFPAT-[A-Za-z0-9_-]{43}/y),
  vendor('clojars', 'CLOJARS_', /CLOJARS_[a-z0-9]{60}/y),
  vendor('typeform', 'tfp_', /tfp_[A-Za-z0-9_.=-]{40,64}/y, hasDigit),
  vendor('easypost', 'EZAK EZTK', /EZ.K[A-Za-z0-9]{54}/y),
  vendor(
    'launchdarkly',
    'sdk- mob- api-',
    /(?:sdk|mob|api)-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/y,
  ),
  vendor('mapbox', 'sk.eyJ', /sk\.eyJ[A-Za-z0-9_-]{20,200}\.[A-Za-z0-9_-]{20,64}/y),
  vendor('telegram', ':AA', /(?<=[0-9]{8,10}):(AA[A-Za-z0-9_-]{33})(?![A-Za-z0-9_-])/y, undefined, {
    anywhere: true,
  }),
  vendor(
    'discord',
    'discord.com/api/webhooks/ discordapp.com/api/webhooks/',
    /[a-z.]+\/api\/webhooks\/[0-9]{15,20}\/([A-Za-z0-9_-]{60,80})/y,
  ),
  vendor(
    'discord',
    'MT Mz Nj Nz OD OT',
    /[MNO][A-Za-z0-9]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}(?![A-Za-z0-9_-])/y,
  ),
  vendor(
    'teams',
    'webhook.office.com/webhookb2/',
    /webhook\.office\.com\/webhookb2\/([0-9a-f@-]{70,80}\/IncomingWebhook\/[0-9a-f]{32})/y,
  ),
  vendor('twilio', 'SK', /SK[0-9a-f]{32}(?![A-Za-z0-9])/y),
  vendor('mailchimp', '-us', /(?<=(?<![0-9a-f])[0-9a-f]{32})-us[0-9]{1,2}(?![A-Za-z0-9])/y, undefined, {
    anywhere: true,
    before: 32,
  }),
  vendor('prefect', 'pnu_ pnb_', /pn._[A-Za-z0-9]{36}/y),
  vendor('readme', 'rdme_', /rdme_[a-z0-9A-Z]{70}/y),
  vendor(
    'azure',
    '8Q~ 7Q~',
    /(?<=(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3})[78]Q~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~-])/y,
    undefined,
    { anywhere: true, before: 3 },
  ),
  vendor('azure', '?sig= &sig=', /[?&]sig=([A-Za-z0-9%+/_-]{20,200}={0,2})/y, undefined, { anywhere: true }),
  vendor('azure', 'AccountKey= AccessKey=', /A[a-z]+Key=([A-Za-z0-9+/]{40,90}={0,2})/y),
];
