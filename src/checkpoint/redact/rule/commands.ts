import { isPlaceholder } from './passwords.ts';
import type { Rule } from './vendor-rule.ts';

const isReal = (password: string): boolean => !isPlaceholder(password);

/** A word of a command line, in quotes or without. */
const WORD = '\\$?\\\\{0,3}["\']?([^\\s"\'\\\\\\0]{3,255})';
/** What a command is made of: no line ends in it, also where the text is still escaped. */
const SAME = '(?:[^\\n\\0|;\\\\]|\\\\(?!n))';
/** What may stand between a program and the option that matters: of the same command. */
const BETWEEN = `(?:${SAME}{0,300}? )?`;

/** Programs, separated by `|`, and their options that hold a password. `glue` stands between option and password. */
function options(programs: string, flags: string, glue: string, word = WORD): Rule {
  return {
    id: 'command-password',
    starts: programs.split('|').map((program) => `${program} `),
    pattern: new RegExp(`(?:${programs}) ${BETWEEN}\\\\{0,3}["']?(?:${flags})${glue}${word}`, 'y'),
    more: new RegExp(`\\\\{0,3}["']?(?: ${SAME}{0,300}?)? (?:${flags})${glue}${word}`, 'y'),
    isSecret: isReal,
  };
}

/** The secret is the last of so many words behind the program. */
function words(programs: string, before: string, word = WORD): Rule {
  return {
    id: 'command-password',
    starts: programs.split('|').map((program) => `${program} `),
    pattern: new RegExp(`(?:${programs}) ${before}${word}`, 'y'),
    isSecret: isReal,
  };
}

const GLUE = '[ =]';
const ANY_WORD = '[^\\s\\0]{1,100} ';

/** What is told a secret on its standard input. */
const READERS =
  '(?:docker|podman|nerdctl|helm|buildah|skopeo|crane|oras|cosign|regctl|ghcr|az|aws|gcloud|gh|glab|npx|wrangler|vercel|netlify|flyctl|fly|heroku|railway|kubectl|kubeseal|vault|op|pass|sudo|su|passwd|chpasswd|cryptsetup|gpg|openssl|ssh-add|firebase|supabase|doppler|pulumi|circleci|sops|age|security|keyring|secret-tool|smbpasswd|ansible-vault|restic|borg|rclone|tea|cf|oc|eas|expo|stripe)';
const READS =
  '(?:--password-stdin|--with-token|--stdin\\b|--token-stdin|chpasswd|smbpasswd|-S\\b|--passphrase-fd|/dev/stdin|--data-file=-|--value-file=-|secret(?:s)? (?:put|set|create|add|import)|secrets versions add|env add|functions:secrets:set|--body-file -|secret create|variable set|kv put|cryptsetup|passwd|--password-file[ =]\\S*stdin|login -t -|ssh-add|insert|config set --secret)';

/** Secrets on command lines, by the program that takes them. */
export const COMMANDS: readonly Rule[] = [
  {
    id: 'command-password',
    starts: ['curl '],
    pattern:
      /curl (?:(?:[^\n\0\\]|\\(?!n)){0,400}? )?(?:-[a-zA-Z]{0,5}[uU]|--user|--proxy-user)[ =]?(?:\\{0,3}["'])?(?!https?:)[^\s:"'\\\0-][^\s:"'\\\0]{0,100}:([^\s"'\\\0]{3,255})/y,
    isSecret: isReal,
  },
  {
    id: 'command-password',
    starts: ['http ', 'https ', 'xh '],
    pattern:
      /(?:https?|xh) (?:(?:[^\n\0\\]|\\(?!n)){0,200}? )?(?:-a|--auth)[ =](?:\\{0,3}["'])?[^\s:"'\\\0-][^\s:"'\\\0]{0,100}:([^\s"'\\\0]{3,255})/y,
    isSecret: isReal,
  },
  options(
    'docker login|podman login|nerdctl login|registry login|helm registry login|az login|az acr login|sshpass|snowsql|snow|oc login|cf login|twine upload|dotnet nuget|mongo|mongosh|mongodump|mongorestore|cqlsh|ibmcloud login|tsm login|tabcmd login|ipmitool|influx|vncviewer|psexec|PsExec.exe|xfreerdp|rdesktop|beeline|x11vnc',
    '--?passwd|-p(?!asswd)|-P|/p:',
    '[ =:]?',
    '\\\\{0,3}["\']?([^\\s"\'\\\\=-][^\\s"\'\\\\\\0]{3,255})',
  ),
  options(
    'mysql|mysqldump|mysqladmin|mysqlimport|mysqlshow|mysqlcheck|mysqlsh|mariadb|mariadb-dump|mycli|7z|7za|7zz|7zr|rar|unrar|p7zip',
    '-p|-hp', // the option and the password are one word
    '',
    '\\\\{0,3}["\']?([^\\s"\'\\\\=-][^\\s"\'\\\\\\0]{3,255})',
  ),
  options('zip|unzip|zipcloak|sqlcmd|bcp|isql|tsql|osql|mosquitto_pub|mosquitto_sub', '-P', ' ?'),
  options('redis-cli|keydb-cli|valkey-cli', '-a|--pass|(?:AUTH|auth)(?: [\\w.-]{1,40}(?= [^\\s-]))?', GLUE),
  options('lftp', '-u', ' ', '\\\\{0,3}["\']?[^\\s,"\']{1,80},([^\\s"\'\\\\\\0]{3,255})'),
  options(
    'etcdctl|nats|influx|wget|skopeo',
    '--user|--creds|--src-creds|--dest-creds',
    GLUE,
    '\\\\{0,3}["\']?[\\w.@-]{1,80}:([^\\s"\'\\\\\\0]{3,255})',
  ),
  words('bw login', '[^\\s@\\0]{1,80}@[^\\s\\0]{1,80} '),
  options('ldapsearch|ldapadd|ldapmodify|ldapdelete|ldapwhoami|ldappasswd', '-w', ' '),
  options('slappasswd|ldappasswd', '-s', ' '),
  options('plink|plink.exe|pscp|pscp.exe|psftp|kitty|putty', '-pw', ' '),
  options('cmdkey|wmic|net use|schtasks|runas', '/pass:|/password:|/rp ', ''),
  options(
    'keytool|jarsigner|apksigner|bundletool|signtool',
    '-(?:src|dest|new)?(?:store|key)pass(?:wd)?|--ks-pass|--key-pass|/p',
    '[ =](?:pass:)?',
  ),
  options('openssl', '-k', ' '),
  options('gh secret', '-b|--body', '[ =]?'),
  options('glab variable', '-v|--value', GLUE),
  options(
    'aws',
    '--(?:secret-string|secret-binary|master-user-password|password|new-password|old-password|temporary-password|auth-token|db-password|admin-password|user-password|passphrase)',
    GLUE,
  ),
  options('ssm put-parameter|ssm', '--value', GLUE),
  options('az', '--(?:admin-password|password|account-key|sas-token|client-secret)', GLUE),
  options('az keyvault secret|az keyvault', '--value', GLUE),
  options('gcloud|bq|gsutil', '--(?:password|root-password|update-secrets|client-secret)', GLUE),
  options('kubectl create secret|oc create secret', '--from-literal[ =]\\\\{0,3}["\']?[\\w.-]{1,64}=', ''),
  options('kubectl|oc', '--(?:docker-password|token|password)', GLUE),
  options('xcrun altool|xcrun notarytool|altool|notarytool', '-p|--password', GLUE),
  options('codecov|codecovcli|coveralls|codacy-coverage-reporter', '-t|--token', GLUE),
  words('requirepass|masterauth', ''),
  options('security', '-w', ' '),
  options(
    'security unlock-keychain|security create-keychain|security import|security set-keychain-password',
    '-[pPon]',
    ' ',
  ),
  options('snmpwalk|snmpget|snmpset|snmpbulkwalk', '-A|-X', ' '),
  options(
    'smbclient|rpcclient|winexe|crackmapexec|smbmap|wmiexec.py|psexec.py|net rpc|mount.cifs',
    '-U',
    ' ',
    '\\\\{0,3}["\']?[^\\s%"\']{1,80}%([^\\s"\'\\\\\\0]{3,255})',
  ),
  options('gpg|gpg2|borg|duplicity|rclone', '--passphrase|--pass', GLUE),
  options('ssh-keygen', '-N|-P', ' ?'),
  options('steghide', '-p', ' '),
  options(
    'nmcli|iwctl|netsh wlan',
    'password|psk|wifi-sec.psk|802-11-wireless-security.psk|--passphrase',
    GLUE,
  ),
  words('mc alias set|mc config host add', `${ANY_WORD}${ANY_WORD}${ANY_WORD}`),
  words(
    'htpasswd|htpasswd2',
    '(?:-[a-zA-Z]{1,6} ){0,4}-[a-zA-Z]{0,6}b[a-zA-Z]{0,6} (?:-[a-zA-Z]+ ?[0-9]{0,2} )?(?:[^\\s\\0]{1,120} ){1,2}',
  ),
  words('rabbitmqctl add_user|rabbitmqctl change_password|rabbitmqctl authenticate_user', ANY_WORD),
  { ...words('net user', ANY_WORD), isSecret: (word) => isReal(word) && /^[^/].*[0-9!@#$%^&*]/.test(word) },
  words('wpa_passphrase', '(?:"[^"\\0\\n]{1,40}"|\'[^\'\\0\\n]{1,40}\'|[^\\s\\0]{1,40}) '),
  words(
    'rclone obscure|ngrok authtoken|ngrok config add-authtoken|vault login|caddy hash-password --plaintext',
    '(?:-[\\w-]+ )?',
    '\\\\{0,3}["\']?([^\\s"\'\\\\-][^\\s"\'\\\\\\0]{7,255})',
  ),
  words('composer config|poetry config', '(?:--?[\\w-]+ ){0,3}http-basic[\\w./:@-]{0,80} [\\w@.-]{1,60} '),
  words(
    'composer config|poetry config|bundle config|yarn config set|pnpm config set|npm config set',
    '(?:--?[\\w-]+ ){0,3}(?:gitlab-token|github-oauth|bearer|pypi-token|\\S{0,80}(?:[Tt]oken|[Pp]assword|_auth|[Ss]ecret))[\\w./:@-]{0,80}[ =]',
  ),
  words(
    'aws configure set|gcloud config set|pulumi config set --secret|doppler secrets set|heroku config:set|eb setenv|az config set|firebase functions:config:set|gh config set|stripe config --set|dotnet user-secrets set',
    '(?:-[\\w-]+ )?\\\\{0,3}["\']?[\\w.:/-]{0,60}(?:[Tt]oken|TOKEN|[Pp]assword|PASSWORD|[Pp]wd|[Ss]ecret|SECRET|_key|_KEY|[aA]pi[Kk]ey|[Kk]ey)[\\w]{0,20}\\\\{0,3}["\']?[ =]',
  ),
  {
    id: 'command-password', // echo X | docker login --password-stdin
    starts: ['echo ', 'printf ', 'Write-Output ', 'print '],
    pattern: new RegExp(
      `(?:echo|printf|Write-Output|print) (?:-[neE]+ )?(?:\\\\{0,3}["']%s(?:\\\\{1,2}n)?\\\\{0,3}["'] )?\\\\{0,3}["']?([^\\s"'\\\\\\0|$][^\\s"'\\\\\\0|]{3,400})(?=(?:\\\\{1,2}n)?\\\\{0,3}["']? {0,3}\\|{1} {0,3}(?:sudo )?${READERS}[^\\n\\0]{0,160}?${READS})`,
      'y',
    ),
    isSecret: isReal,
  },
  {
    id: 'command-password', // passwd ada <<< $'x\\nx'
    starts: ['<<<'],
    pattern: new RegExp(`(?<=(?:passwd|cryptsetup|smbpasswd)\\b[^\\n|;\\0]{0,120})<<< {0,2}${WORD}`, 'y'),
    more: /\\{1,2}n([^\s"'\\\0]{3,255})(?=\\{0,3}["']|\\n)/y,
    isSecret: isReal,
    anywhere: true,
  },
  {
    id: 'command-password', // printf x > /run/secrets/db_password
    starts: ['echo ', 'printf '],
    pattern:
      /(?:echo|printf) (?:-[neE]+ )?(?:\\{0,3}["']%s(?:\\{1,2}n)?\\{0,3}["'] )?\\{0,3}["']?([^\s"'\\\0|$>][^\s"'\\\0|]{3,400})(?=(?:\\{1,2}n)?\\{0,3}["']? {0,3}>{1,2} {0,3}[\w./~$-]{0,120}(?:secrets\/|passw|password|passphrase|token|\.key\b|credential|_secret))/y,
    isSecret: isReal,
  },
  {
    id: 'command-password', // gh secret set NAME <<< X
    starts: ['<<<'],
    pattern: new RegExp(
      `(?:(?<=${READERS}[^\\n\\0]{0,160}${READS}[^\\n\\0]{0,80})|(?<=${READERS}[^\\n\\0]{0,200})(?=<<<[^\\n\\0]{1,200}${READS}))<<< {0,2}${WORD}`,
      'y',
    ),
    isSecret: isReal,
    anywhere: true,
  },
  {
    id: 'command-password',
    starts: ['echo '],
    pattern:
      /echo (?:-n )?\\{0,3}["']?[\w.-]{1,32}:([^\s"'\\\0]{4,255})(?=\\{0,3}["']? {0,2}\| {0,2}(?:sudo )?chpasswd)/y,
    isSecret: isReal,
  },
  {
    id: 'command-password',
    starts: ['ConvertTo-SecureString '],
    pattern:
      /ConvertTo-SecureString (?:-(?:AsPlainText|Force|String) ){0,3}\\{0,3}["']?([^\s"'$(\\\0][^"'\\\0\n]{3,255}?)(?=\\{0,3}["']| -|\s)/y,
    isSecret: isReal,
  },
  {
    id: 'command-password', // New-Object PSCredential, [Net.NetworkCredential]
    starts: ['PSCredential', 'NetworkCredential'],
    pattern:
      /(?:PSCredential|NetworkCredential)\]?(?:::new)?\( ?\\{0,3}["'][^"'\0\n]{1,80}["'], ?\\{0,3}["']([^"'\\\0\n]{4,255})/y,
    isSecret: isReal,
  },
  {
    id: 'command-password',
    starts: ['-pass'],
    pattern: /-pass(?:in|out)? \\{0,3}["']?pass:([^\s"'\\\0]{4,255})/y,
    isSecret: isReal,
  },
  {
    id: 'command-password', // sqlplus scott/tiger@db
    starts: ['sqlplus ', 'impdp ', 'expdp ', 'sqlldr ', 'rman target '],
    pattern:
      /[a-z ]+ (?:-[A-Za-z]+ )?(?:userid=)?\\{0,3}["']?[\w$#]{1,40}\/\\{0,3}["']?([^\s"'@/\\\0]{4,100})(?=\\{0,3}["']?(?:@|\s|$))/y,
    isSecret: isReal,
  },
  {
    id: 'sql-password',
    starts: ['IDENTIFIED ', 'identified ', 'Identified '], // without quotes only in a statement: texts say it of other things
    pattern:
      /(?:identified (?:with [`'"]?\w+[`'"]? )?(?:by|as) (?:password )?\\{0,3}['"]|(?<=\b(?:user|role|grant|link)\s[^;\0]{0,200})identified (?:with \w+ )?by (?:password )?(?=[^\s'"\\\0;]{0,200}[0-9!@#$%^&*_]))([^\s'"\\\0;]{4,200})/iy,
    isSecret: isReal,
  },
  {
    id: 'sql-password', // ALTER USER x WITH PASSWORD 'y', CREATE LOGIN x WITH PASSWORD = N'y'
    starts: ['PASSWORD ', 'password ', 'Password ', 'PASSWORD=', 'PASSWORD(', 'password('],
    pattern:
      /(?<=\b(?:user|role|login|group|set|credential)\b[^;\0]{0,160})password ?(?:=|\()? ?N?\\{0,3}'([^'\\\0\n]{4,200})/iy,
    isSecret: isReal,
  },
];
