/* Kept aside: whoever writes rules does not open this file. */

import { type Kind, kind } from '../kind.ts';

/** Connection strings. */
export const CONNECT: readonly Kind[] = [
  kind('postgres url', 'connection string', [
    'DATABASE_URL=postgres://«user»:[[«genu»]]@«host»:5432/«svc»?sslmode=require',
    "psql 'postgresql://«user»:[[«A16»]]@«host»/«svc»' -c 'select 1'",
    'postgresql+asyncpg://«user»:[[«pw0»]]@«ip»/«svc»',
    'error: connect failed: postgres://«user»:[[«A20»]]@«host»:5432/«svc»',
  ]),
  kind('mongo and redis url', 'connection string', [
    'mongodb+srv://«user»:[[«A16»]]@cluster0.x1y2z.mongodb.net/«svc»?retryWrites=true',
    'MONGO_URI=mongodb://«user»:[[«pw0»]]@«host»:27017/«svc»',
    'redis://:[[«A32»]]@«host»:6379/0',
    "createClient({ url: 'rediss://default:[[«b32»]]@«host»:6380' })",
  ]),
  kind('mysql url', 'connection string', [
    'mysql://«user»:[[«genu»]]@«host»:3306/«svc»',
    'create_engine("mysql+pymysql://«user»:[[«A10»]]@127.0.0.1/«svc»")',
    'clickhouse://default:[[«A12»]]@«host»:9000/«svc»',
    "JDBC_DATABASE_URL='jdbc:mysql://«host»/«svc»?user=«user»&password=[[«genu»]]'",
  ]),
  kind('jdbc', 'connection string', [
    'jdbc:sqlserver://«host»:1433;databaseName=«svc»;user=sa;password=[[«gen»]];encrypt=true',
    'jdbc:postgresql://«host»:5432/«svc»?user=«user»&password=[[«A14»]]&ssl=true',
    'jdbc:oracle:thin:«user»/[[«A12»]]@//«host»:1521/ORCL',
    'jdbc:db2://«host»:50000/«svc»:user=«user»;password=[[«A12»]];',
  ]),
  kind('ado.net and odbc', 'connection string', [
    'Server=tcp:«host»,1433;Initial Catalog=«svc»;User ID=«user»;Password=[[«gen»]];Encrypt=True;',
    'Driver={ODBC Driver 18};Server=«host»;UID=sa;PWD=[[«A13»]];',
    '"DefaultConnection": "Host=«host»;Database=«svc»;Username=«user»;Password=[[«pw»]]"',
    "Data Source=«host»;Initial Catalog=«svc»;User Id=«user»;Password='[[«gen»]]';TrustServerCertificate=true",
  ]),
  kind('libpq dsn', 'connection string', [
    'psql "host=«host» port=5432 dbname=«svc» user=«user» password=[[«pw»]]"',
    'pg_connect("host=«ip» dbname=«svc» user=«user» password=[[«gen»]]")',
    'dsn: host=«host» user=«user» password=[[«gen»]] sslmode=disable',
    'root:[[«genu»]]@tcp(«host»:3306)/«svc»?parseTime=true',
  ]),
  kind('sasl jaas', 'connection string', [
    'sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="«user»" password="[[«gen»]]";',
    'KAFKA_SASL_JAAS_CONFIG: >-\n  org.apache.kafka.common.security.scram.ScramLoginModule required\n  username="«user»" password="[[«A24»]]";',
  ]),
];
