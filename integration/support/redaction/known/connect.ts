import { type Kind, kind } from '../kind.ts';

/** Connection strings. */
export const CONNECT: readonly Kind[] = [
  kind('amqp, smtp, ftp url', 'connection string', [
    'amqps://«user»:[[«A12»]]@«host»/«svc»',
    'smtp://mailer%40«org».com:[[«A16»]]@smtp.«host»:587',
    'ftp://«user»:[[«pw0»]]@«host»/htdocs',
    'MAIL_URL=smtps://«user»:[[«genu»]]@«host»:465',
    'sftp://«user»:[[«A10»]]@«ip»:22/srv',
  ]),
  kind('url with token for git', 'connection string', [
    'git clone https://«user»:[[«A20»]]@git.«host»/«repo».git',
    'https://oauth2:[[«A26»]]@git.«host»/«repo».git',
    'url = https://[[«h40»]]@git.«host»/«repo».git',
    'remote: origin https://deploy:[[«b32»]]@«host»/«repo».git (push)',
    'pip install git+https://[[«A40»]]@git.«host»/«repo».git',
  ]),
];
