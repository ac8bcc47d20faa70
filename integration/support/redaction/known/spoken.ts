import { type Kind, kind } from '../kind.ts';

/** What people and logs say. */
export const SPOKEN: readonly Kind[] = [
  kind('stack trace', 'assignment', [
    'ConnectionError: {"config":{"auth":{"username":"«user»","password":"[[«gen»]]"}}}',
    'Caused by: java.sql.SQLException: Access denied (password: [[«gen»]])',
    "  headers: { 'x-api-key': '[[«A32»]]', accept: '*/*' },",
    "KeyError in settings: {'SECRET_KEY': '[[«A40»]]', 'DEBUG': True}",
    'panic: dial failed: password="[[«gen»]]" host="«host»"',
  ]),
  kind('table of accounts', 'human password', [
    '| user | password |\n| --- | --- |\n| «user» | [[«pw»]] |',
    'username,password\n«user»,[[«pw»]]\n',
    '«email»:[[«pw»]]',
    '| «env» | «host» | «user» | [[«gen»]] |',
    "INSERT INTO users (name, password) VALUES ('«user»', '[[«pw»]]');",
  ]),
];
