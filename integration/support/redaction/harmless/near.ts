import { harmless, type Kind } from '../kind.ts';

/** What stands where secrets stand, and is none. */
export const NEAR: readonly Kind[] = [
  harmless('near a password', [
    'パスワードは8文字以上で入力してください',
    '密码不能为空',
    'пароль: обязательное поле',
    'password: Contraseña\nforgot_password: ¿Olvidaste tu contraseña?',
    'clave primaria de la tabla «noun»s',
    'use password sha256 for the «noun»',
    'the password field2 of «file»',
    'log in with github:oauth and «verb» the «noun»',
    'connect with «svc»:«port»',
    'GPIO pin is 4, the other pin: 13',
    'Le mot de passe : au moins douze caractères',
  ]),
  harmless('calls without a secret', [
    'bcrypt.compare(password, user.hash)',
    'crypt(password, gen_salt("bf"))',
    'service.authenticate("«user»", "wrong")',
    '.option("-p, --password <password>", "the password to use")',
    'flag.String("token", "", "API token for v«n1»")',
    'variable "db_password" {\n  type        = string\n  description = "Password of the «svc» database"\n}',
    "const token = opts.token || 'default'",
    'if (password || «noun»2) {}',
    'login("«user»", readPassword(«n1»))',
    'Password:\nLogin succeeded',
  ]),
  harmless('tags, headers, envelopes', [
    'W/"«h4»-«s27»="',
    'password: ENC[AES256_GCM,data:«s16»,iv:«s43»=,tag:«s22»==,type:str]',
    'https://«h32»@o«d6».ingest.sentry.io/«d7»',
    'x-amz-id-2: «s76»',
    'NODE_OPTIONS=--max-old-space-size=4096',
    '/private/var/folders/«l2»/«l30»/T/tmp.«A10»',
    '.css-«l7»-MuiButtonBase-root { color: #«h6»; }',
    'postgres://${DB_USER}:${DB_PASS}@${DB_HOST}/«svc»',
  ]),
];
