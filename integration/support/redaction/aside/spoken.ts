/* Kept aside: whoever writes rules does not open this file. */

import { type Kind, kind } from '../kind.ts';

/** What people and logs say. */
export const SPOKEN: readonly Kind[] = [
  kind('password in prose', 'human password', [
    'The admin password is [[«pw»]], change it after the first login.',
    'log in as «user» with password [[«pw»]]',
    'user «user», pw: [[«pw»]]',
    'you can use «email» / [[«pw»]] to sign in',
    'das Passwort lautet [[«pw»]]',
    'Le mot de passe est [[«pw»]].',
    'my password for «host» is "[[«pw»]]"',
  ]),
  kind('ci log', 'assignment', [
    "«ts» ##[debug] Evaluating: env.DEPLOY_TOKEN => '[[«A30»]]'",
    '+ export SONAR_PASSWORD=[[«gen»]]',
    "Error: Login failed for user '«user»' with password '[[«gen»]]'",
    '  with:\n    password: [[«gen»]]\n    username: «user»',
    '##[set-output name=token;][[«A40»]]',
    'declare -x DB_PASSWORD="[[«gen»]]"',
  ]),
  kind('printenv', 'assignment', [
    '$ printenv\nHOME=/root\n«SVC»_TOKEN=[[«A40»]]\nSHELL=/bin/bash',
    'PATH=/usr/bin\nDB_PASSWORD=[[«gen»]]\nLANG=C',
    'declare -x API_SECRET="[[«A32»]]"',
    "{'PATH': '/usr/bin', '«SVC»_PASSWORD': '[[«pw»]]'}",
    'Environment="«SVC»_SECRET=[[«A32»]]"',
  ]),
];
