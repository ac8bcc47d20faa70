import { camelOf, kebabOf, uppercaseFirst } from './case.ts';
import type { Chance } from './chance.ts';

/** What kinds of secrets have in common. Thresholds are for all of them, and for vendors' keys by themselves. */
export type Family =
  | 'vendor key'
  | 'command line'
  | 'assignment'
  | 'structured file'
  | 'connection string'
  | 'key material'
  | 'header or URL'
  | 'random run'
  | 'human password'
  | 'cut'
  | 'metadata';

/** A text as transcripts hold it. */
export interface Sample {
  /** Mostly one; where a secret is cut between records, one for each of them. */
  readonly texts: readonly string[];
  /** What must not be left; empty in a harmless text. Of a secret that is cut, its pieces. */
  readonly secrets: readonly string[];
}

/** One kind of secret, or of harmless text. */
export interface Kind {
  readonly name: string;
  readonly family: Family | 'harmless';
  readonly make: (chance: Chance) => Sample;
  /** Where it stands, if not everywhere but in a path. */
  readonly positions?: ReadonlyArray<Position | 'branch'>;
}

/** Where in a transcript a text stands. */
export const POSITIONS = [
  'prompt',
  'text',
  'tool input',
  'tool result',
  'nested JSON',
  'command',
  'path',
] as const;
export type Position = (typeof POSITIONS)[number];

/**
 * Reads a template: `«…»` are values ({@link Chance.fill}), what stands in `[[…]]` is secret, and `␞` begins the next record.
 */
export function sampleOf(template: string, chance: Chance): Sample {
  const secrets: string[] = [];
  const filled = template.replaceAll(/\[\[(.+?)\]\](?!\])/gs, (_, inner: string) => {
    const secret = chance.fill(inner);
    // Line breaks, and the armour of keys, are no secret.
    for (const part of secret.split(/\\n|\n|-----[A-Z ]+-----/))
      if (part.trim() !== '') secrets.push(part.trim());
    return secret;
  });
  return { texts: chance.fill(filled).split('␞'), secrets };
}

/** A kind that is one of some templates, with something before or after it at times. */
export function kind(
  name: string,
  family: Family,
  templates: readonly string[],
  positions?: Kind['positions'],
): Kind {
  return {
    name,
    family,
    make: (chance) => sampleOf(within(chance.oneOf(templates), family, chance), chance),
    ...(positions && { positions }),
  };
}

/** A harmless kind of some templates. */
export const harmless = (
  name: string,
  templates: readonly string[],
  positions?: Kind['positions'],
): Kind => ({
  name,
  family: 'harmless',
  make: (chance) => {
    const template = chance.oneOf(templates);
    const isPath = positions?.includes('path') ?? false; // nothing stands around a path
    return { texts: [chance.fill(isPath ? template : within(template, 'harmless', chance))], secrets: [] };
  },
  ...(positions && { positions }),
});

/** What stands around: nothing, a line before or a line after. */
function within(template: string, family: Kind['family'], chance: Chance): string {
  if (family === 'metadata' || template.includes('␞') || chance.percent(55)) return template;
  if (family === 'command line') {
    return chance.oneOf([
      `cd «dir» && ${template}`,
      `set -e\n${template}`,
      `# «say»\n${template}`,
      `${template} && echo done`,
      `$ ${template}\n«log»`,
    ]);
  }
  return chance.oneOf([
    `«say»\n\n${template}`,
    `${template}\n\n«say»`,
    `«log»\n${template}\n«log»`,
    `${template}\n`,
  ]);
}

/** Where somebody writes a key under a name that its vendor's documents use, `API_KEY` or longer. */
const NAMED: readonly string[] = [
  '%NAME%=[[%]]',
  'export %NAME%=[[%]]',
  'export %NAME%="[[%]]"',
  "%NAME%='[[%]]' npm run «verb»",
  '%NAME%: [[%]]',
  '  %NAME%: "[[%]]"',
  '{"%camel%": "[[%]]", "region": "«region»"}',
  '{"env":{"%NAME%":"[[%]]"}}',
  "const %camel% = '[[%]]';",
  "  %camel%: '[[%]]',",
  'process.env.%NAME% = "[[%]]";',
  "os.environ['%NAME%'] = '[[%]]'",
  '%snake% = "[[%]]"',
  '%snake%="[[%]]",',
  'ENV %NAME%=[[%]]',
  'docker run --rm -e %NAME%=[[%]] «org»/«svc»:«ver»',
  '$env:%NAME% = "[[%]]"',
  '+ export %NAME%=[[%]]',
  '-%NAME%=[[%]]\n+%NAME%=${%NAME%}',
  '      - name: %NAME%\n        value: "[[%]]"',
  'static final String %NAME% = "[[%]]";',
  'fly secrets set %NAME%=[[%]]',
  '# «svc» (.env.«env»)\nPORT=«port»\n%NAME%=[[%]]\nLOG_LEVEL=debug',
];

/** Where a key stands that nothing names: its shape alone gives it away. */
const BARE: readonly string[] = [
  '«say» [[%]]',
  'this one worked yesterday: [[%]]',
  '401 Unauthorized: invalid key [[%]]',
  'curl -s https://api.«host»/v1/«noun»s -H "Authorization: Bearer [[%]]"',
  '| «env» | [[%]] | «user» |',
  '$ cat ~/.«svc»/credentials\n[[%]]',
  'client = Client("[[%]]")',
  "new «Word»Client('[[%]]', { timeout: 3000 })",
  '[«ts»] DEBUG using [[%]] for «svc»',
  '"[[%]]",',
  '> [[%]]',
  'https://«host»/v1/«noun»s?key=[[%]]&limit=10',
  '+    return "[[%]]";',
  '(«env») [[%]]\n(«env») rotated «ts»',
];

function keyKind(name: string, names: readonly string[], shape: string, places: readonly string[]): Kind {
  return {
    name,
    family: 'vendor key',
    make: (chance) => {
      const env = chance.oneOf(names);
      const place = chance
        .oneOf(places)
        .replaceAll('%NAME%', env)
        .replaceAll('%camel%', camelOf(env))
        .replaceAll('%Camel%', uppercaseFirst(camelOf(env)))
        .replaceAll('%snake%', env.toLowerCase())
        .replaceAll('%kebab%', kebabOf(env))
        .replaceAll('[[%]]', () => `[[${shape}]]`);
      return sampleOf(within(place, 'vendor key', chance), chance);
    },
  };
}

/** A key with a shape of its own: found wherever it stands. `more` are places that only it has. */
export function vendorKey(
  name: string,
  names: string | readonly string[],
  shape: string,
  more: readonly string[] = [],
): Kind {
  const base = keyKind(name, [names].flat(), shape, [...NAMED, ...BARE, ...more, ...more, ...more]);
  const isPath = !/[/+=:~ $]|«(?:s[0-9]|b64)/.test(shape);
  return isPath ? { ...base, positions: POSITIONS } : base;
}

/** A key whose shape says nothing: where its vendor's documents put it, under its name. */
export const namedKey = (
  name: string,
  names: string | readonly string[],
  shape: string,
  more: readonly string[] = [],
): Kind => keyKind(name, [names].flat(), shape, [...NAMED, ...more, ...more, ...more]);
