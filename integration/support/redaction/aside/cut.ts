/* Kept aside: whoever writes rules does not open this file. */

import { type Kind, kind } from '../kind.ts';

/** Secrets that are not in one piece. */
export const CUT: readonly Kind[] = [
  kind('string concatenation', 'cut', [
    "const key = 'ghp_[[«A18»]]' + '[[«A18»]]';",
    'token = "sk-proj-[[«A40»]]"\n        "[[«A40»]]"',
    "'xoxb-«d12»-' + '«d13»-' + '[[«A24»]]'",
    '$key = "AKIA[[«B8»]]" . "[[«B8»]]";',
  ]),
  kind('escaped twice', 'cut', [
    '{\\"api_key\\":\\"[[«A24»]]\\",\\"region\\":\\"«region»\\"}',
    '{"env":"TOKEN\\u003d[[«A26»]]"}',
    '{\\\\\\"password\\\\\\":\\\\\\"[[«A18»]]\\\\\\"}',
    'export A=1\\nexport «SVC»_TOKEN=[[«A36»]]\\nexport B=2',
    '\'{"clientSecret": "[[«b36»]]"}\'',
  ]),
];
