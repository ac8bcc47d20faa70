/** The licences of the packages whose code is in the bundles: most of them ask that their text goes with every copy. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** In `dist`, and in each package that is published. */
export const NOTICES = 'THIRD-PARTY-NOTICES.txt';

interface Bundled {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly text: string;
}

const INTRODUCTION = `What is published as "entire" contains code of the packages below. Executables contain the runtime of Bun as well, whose
licences are listed at https://bun.com/docs/project/licensing.`;

/**
 * The text to publish beside the bundles.
 *
 * @param root the folder with `node_modules`
 * @param inputs what was bundled, as paths from there
 * @throws where a package says nothing of its licence: somebody has to look at it
 */
export function renderNotices(root: string, inputs: readonly string[]): string {
  const folders = new Set(
    inputs.flatMap((input) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? []),
  );
  const packages = [...folders].map((folder) => readPackage(join(root, folder)));
  const sections = new Map(packages.map((one) => [`${one.name} ${one.version}`, one]));
  return [
    INTRODUCTION,
    ...[...sections.keys()].sort().map((title) => {
      const { license, text } = sections.get(title) as Bundled;
      return `${'-'.repeat(72)}\n${title} (${license})\n\n${text}`;
    }),
  ]
    .join('\n\n')
    .concat('\n');
}

function readPackage(folder: string): Bundled {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) =>
    /^(?:licen[cs]e|copying|notice)(?:[.-].+)?$/i.test(file),
  );
  if (typeof license !== 'string' || files.length === 0)
    throw new Error(`${name} ${version} does not say its licence: look at it before it is bundled`);
  const text = files.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n');
  return { name, version, license, text };
}
