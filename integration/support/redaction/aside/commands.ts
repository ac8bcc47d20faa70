/* Kept aside: whoever writes rules does not open this file. */

import { type Kind, kind } from '../kind.ts';

/** Commands with a password in them. */
export const COMMANDS: readonly Kind[] = [
  kind('sql with password', 'command line', [
    "CREATE ROLE «user» LOGIN PASSWORD '[[«pw»]]';",
    "ALTER USER «user» WITH ENCRYPTED PASSWORD '[[«gen»]]';",
    `psql -c "CREATE USER «user» WITH PASSWORD '[[«gen»]]'"`,
    "SET PASSWORD FOR '«user»'@'%' = PASSWORD('[[«pw»]]');",
    "CREATE LOGIN «user» WITH PASSWORD = N'[[«gen»]]', CHECK_POLICY = OFF",
  ]),
  kind('PGPASSWORD', 'command line', [
    "PGPASSWORD='[[«gen»]]' psql -h «host» -U «user» «svc» -c 'select 1'",
    'PGPASSWORD=[[«pw»]] pg_dump -Fc -h «ip» «svc» > /tmp/«svc».dump',
    'export PGPASSWORD="[[«gen»]]"; createdb -h «host» «svc»',
    'docker exec -e PGPASSWORD=[[«pw»]] db psql -U «user»',
  ]),
  kind('oracle client', 'command line', [
    'sqlplus «user»/[[«pw»]]@//«host»:1521/ORCL',
    'sqlplus -s system/[[«gen»]]@«svc» @patch.sql',
    'expdp «user»/[[«pw»]]@«svc» schemas=«svc»',
  ]),
  kind('wget and ftp', 'command line', [
    'wget --user=«user» --password=[[«gen»]] https://«host»/a.tgz',
    "lftp -u «user»,'[[«pw»]]' -e 'mirror -R dist /htdocs; bye' ftp.«host»",
    'ncftpput -u «user» -p [[«pw»]] «host» / index.html',
    'wget --http-user=«user» --http-password="[[«gen»]]" https://«host»/x',
  ]),
  kind('set a system password', 'command line', [
    "echo '«user»:[[«pw»]]' | chpasswd",
    'echo «user»:[[«pw»]] | sudo chpasswd',
    "echo '[[«pw»]]' | passwd --stdin «user»",
    'net user «user» [[«pw»]] /add',
    "printf '%s\\n%s\\n' '[[«pw»]]' '[[«pw»]]' | smbpasswd -a «user»",
  ]),
  kind('smb and mount', 'command line', [
    "smbclient //«host»/share -U '«user»%[[«pw»]]'",
    'mount -t cifs //«ip»/data /mnt -o username=«user»,password=[[«gen»]]',
    'net use Z: \\\\«host»\\share [[«pw»]] /user:«user»',
    'psexec \\\\«host» -u «user» -p [[«pw»]] cmd',
  ]),
  kind('openssl pass', 'command line', [
    'openssl enc -aes-256-cbc -pass pass:[[«gen»]] -in a -out b',
    "openssl pkcs12 -export -in c.pem -inkey k.pem -out x.p12 -passout 'pass:[[«pw»]]'",
    'openssl rsa -in k.pem -passin pass:[[«pw»]] -out plain.pem',
    'openssl enc -d -aes-256-cbc -k [[«gen»]] -in «word».enc',
  ]),
  kind('document passwords', 'command line', [
    "qpdf --password='[[«pw»]]' --decrypt in.pdf out.pdf",
    'pdftk in.pdf output out.pdf user_pw [[«pw»]]',
    'hdiutil create -encryption -stdinpass -passphrase [[«pw»]] x.dmg',
    'qpdf --encrypt [[«pw»]] [[«gen»]] 256 -- in.pdf out.pdf',
  ]),
  kind('helm and terraform values', 'command line', [
    'helm upgrade «svc» ./chart --set auth.rootPassword=[[«gen»]] --set replicas=2',
    'helm install «svc» bitnami/postgresql --set-string global.postgresql.auth.password=[[«A16»]]',
    'terraform apply -var="db_password=[[«gen»]]" -auto-approve',
    "TF_VAR_db_password='[[«gen»]]' terraform plan",
    "ansible-playbook site.yml -e 'ansible_become_pass=[[«pw»]]'",
  ]),
  kind('heroku and friends set', 'command line', [
    'heroku config:set SESSION_SECRET=[[«h64»]] -a «svc»',
    'flyctl secrets set «SVC»_PASSWORD=[[«gen»]]',
    'railway variables --set "«PRE»_TOKEN=[[«A32»]]"',
    'netlify env:set AUTH_SECRET [[«b64u:32»]]',
    'doppler secrets set «WORD»_SECRET="[[«gen»]]"',
    'firebase functions:config:set «svc».key="[[«A32»]]"',
  ]),
  kind('vault and pass', 'command line', [
    'vault kv put secret/«svc» password=[[«gen»]]',
    "vault write auth/userpass/users/«user» password='[[«pw»]]' policies=default",
    'op item create --category=login --title=«svc» password=[[«gen»]]',
    "bw login «email» '[[«pw»]]' --raw",
    'az keyvault secret set --vault-name «org» --name «svc» --value "[[«gen»]]"',
  ]),
  kind('backup tools', 'command line', [
    "RESTIC_PASSWORD='[[«gen»]]' restic -r s3:«host»/«svc» backup /srv",
    'export BORG_PASSPHRASE="[[«pw»]]"',
    'duplicity --encrypt-key x PASSPHRASE=[[«gen»]]',
    'mc alias set «org» https://«host» «A20» [[«A40»]]',
    'rclone config create «word» s3 access_key_id «u20» secret_access_key [[«A40»]]',
  ]),
  kind('wifi and vpn', 'command line', [
    "nmcli dev wifi connect '«Word»Net' password '[[«pw»]]'",
    "wpa_passphrase '«Word»Net' '[[«pw»]]'",
    'openconnect --user=«user» --passwd-on-stdin «host» <<< "[[«pw»]]"',
    'networksetup -setairportnetwork en0 «Word»Net [[«pw»]]',
  ]),
  kind('message queues', 'command line', [
    'rabbitmqctl add_user «user» [[«gen»]]',
    "rabbitmqctl change_password «user» '[[«pw»]]'",
    'rabbitmqadmin -u «user» -p [[«pw»]] list queues',
    'etcdctl --user root:[[«gen»]] get / --prefix',
    'nats pub -s nats://«host» --user «user» --password [[«gen»]] «noun» hi',
  ]),
  kind('warehouse clients', 'command line', [
    "snowsql -a «org» -u «user» -p '[[«gen»]]'",
    'clickhouse-client --host «host» --user «user» --password [[«gen»]] -q "select 1"',
    "cqlsh «host» -u cassandra -p '[[«pw»]]'",
    'airflow connections add «svc» --conn-type postgres --conn-password [[«gen»]]',
    'influx -host «host» -username «user» -password [[«gen»]]',
  ]),
  kind('htpasswd -b', 'command line', [
    'htpasswd -cb .htpasswd «user» [[«pw»]]',
    "htpasswd -nbB «user» '[[«gen»]]'",
    'htpasswd -b /etc/nginx/.htpasswd «user» "[[«pw»]]"',
  ]),
  kind('expect and typed answers', 'command line', [
    'send "[[«pw»]]\\r"',
    'spawn ssh «user»@«host»\nexpect "assword:"\nsend "[[«pw»]]\\r"',
    'Password: [[«pw»]]\nLogin Succeeded',
    'Enter password for «user»: [[«pw»]]\n«log»',
  ]),
  kind('powershell variables', 'command line', [
    "$env:«PRE»_PASSWORD = '[[«gen»]]'",
    '$Password = "[[«pw»]]"',
    "[Environment]::SetEnvironmentVariable('«SVC»_SECRET', '[[«A32»]]', 'Machine')",
    "$cred = New-Object System.Net.NetworkCredential('«user»', '[[«pw»]]')",
    "Connect-AzAccount -Credential $c; $ClientSecret = '[[«A40»]]'",
  ]),
  kind('flag with password', 'command line', [
    './«kebab» --username «user» --password [[«pw»]]',
    './bin/«word» --db-password=[[«gen»]] serve',
    "python «snake».py --token '[[«A32»]]' --«env»",
    'java -jar «svc».jar --spring.datasource.password=[[«gen»]]',
    'npx «kebab» --api-key [[«A28»]] --out dist',
    'node «word».js --client-secret=[[«b40»]]',
  ]),
  kind('java system properties', 'command line', [
    'java -Djavax.net.ssl.keyStorePassword=[[«pw»]] -jar «svc».jar',
    'mvn deploy -Dpassword=[[«gen»]] -Dusername=«user»',
    './gradlew publish -PnexusPassword=[[«gen»]] -PnexusUser=«user»',
    'JAVA_OPTS="-Ddb.password=[[«gen»]]" ./start.sh',
  ]),
];
