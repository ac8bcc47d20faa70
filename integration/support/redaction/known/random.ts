import { type Kind, kind } from '../kind.ts';

/** Random runs that nothing names. */
export const RANDOM: readonly Kind[] = [
  kind('random: 24-31 letters and digits', 'random run', [
    '«say» [[«A24-31»]]',
    'key [[«A24-31»]] for «svc»',
    '$ pwgen -s 28 1\n[[«A28»]]',
    '| «env» | [[«A24-31»]] |',
    '- [[«A24-31»]]',
  ]),
  kind('random: 32-64 letters and digits', 'random run', [
    '«say» [[«A32-64»]]',
    'the value is [[«A40-64»]] - keep it safe',
    '$ head -c 30 /dev/urandom | base64\n[[«A40»]]',
    '"[[«A32-48»]]"',
    'got: [[«A48»]]',
  ]),
  kind('random: base64url', 'random run', [
    '«say» [[«b32-43»]]',
    'cookie [[«b43-64»]]',
    ">>> secrets.token_urlsafe(32)\n'[[«b43»]]'",
    'value=[[«b40»]]',
  ]),
  kind('random: base64', 'random run', [
    '$ openssl rand -base64 32\n[[«b64:32»]]',
    '«say» [[«b64:24»]]',
    'the shared one is [[«b64:33»]]',
    '[[«b64:48»]]',
  ]),
  kind('random: hex beside a word', 'random run', [
    'the api key is [[«h32»]]',
    'use this token: [[«h40»]]',
    '$ openssl rand -hex 32\n[[«h64»]]',
    'secret [[«h48»]] for «svc»',
  ]),
  kind('random: lower case and digits', 'random run', [
    '«say» [[«l28-36»]]',
    'key [[«l32»]] («env»)',
    '[[«l40»]]',
    'set to [[«l36»]] yesterday',
  ]),
  kind('random: 16-22 with marks', 'random run', [
    'log in with [[«gen:18»]]',
    'password is [[«gen:20»]]',
    '$ pwgen -sy 16 1\n[[«gen:16»]]',
    'changed it to [[«gen:22»]] today',
  ]),
];
