import type { Chance } from './chance.ts';
import { claudeLine } from './claude-lines.ts';
import { codexLine } from './codex-lines.ts';
import type { Kind, Position, Sample } from './kind.ts';

/** What one record of a transcript says. */
export type Said =
  | { readonly as: 'prompt' | 'text' | 'tool result' | 'tool input'; readonly text: string }
  | { readonly as: 'nested JSON'; readonly value: unknown; readonly isResult: boolean }
  | { readonly as: 'command'; readonly command: string }
  | { readonly as: 'path'; readonly path: string }
  | { readonly as: 'branch'; readonly branch: string };

/** A sample as a hook meets it. */
export interface Rendered {
  /** Whose lines they are. */
  readonly agent: 'claude-code' | 'codex';
  /** Lines of a transcript. */
  readonly lines: string;
  /** The prompts among them. */
  readonly prompts: readonly string[];
}

/** Puts a sample into lines of a transcript, of Claude Code or of Codex. */
export function renderRecords(
  { texts, secrets }: Sample,
  kind: Kind,
  position: Position | 'branch',
  chance: Chance,
): Rendered {
  const agent = chance.percent(70) ? 'claude-code' : 'codex';
  const renderLine = agent === 'codex' ? codexLine : claudeLine;
  const said = texts.map((text) => sayIn(position, text, secrets, kind, chance));
  return {
    agent,
    lines: said.map((one) => `${JSON.stringify(renderLine(one, chance))}\n`).join(''),
    prompts: said.flatMap((one) => (one.as === 'prompt' ? [one.text] : [])),
  };
}

function sayIn(
  position: Position | 'branch',
  text: string,
  secrets: readonly string[],
  { family }: Kind,
  chance: Chance,
): Said {
  switch (position) {
    case 'prompt':
    case 'text':
    case 'tool input':
    case 'tool result':
      return { as: position, text };
    case 'nested JSON': {
      const [key, other] = chance.oneOf([
        ['body', { status: 200 }],
        ['content', { type: 'file' }],
        ['text', { isError: false }],
        ['message', { level: 'info' }],
      ] as const);
      return { as: position, value: { ...other, [key]: text }, isResult: chance.percent(50) };
    }
    case 'command':
      return { as: position, command: family === 'command line' ? text : commandWith(text, chance) };
    case 'path': {
      const [secret] = secrets;
      if (secret === undefined || family === 'metadata')
        return { as: position, path: text.split('\n')[0] ?? '' };
      return { as: position, path: chance.fill(chance.oneOf(PATHS)).replace('%', () => secret) };
    }
    case 'branch':
      return { as: position, branch: text };
  }
}

const PATHS = ['«dir»/exports/%.json', '/tmp/«word»-%.log', '«dir»/keys/%/«word».txt', '«dir»/%'];

/** A command that holds the text, as agents write files and try things. */
function commandWith(text: string, chance: Chance): string {
  const file = chance.fill('«word».«ext»');
  const ways = [
    `cat > ${file} <<'EOF'\n${text}\nEOF`,
    `cat >> «dir»/${file} << 'END'\n${text}\nEND\nls -la`,
    `# ${text.replaceAll('\n', '\n# ')}\ntrue`,
    `python3 - <<'PY'\ntext = r'''\n${text}\n'''\nprint(len(text))\nPY`,
  ];
  return chance.oneOf(ways).replaceAll('«dir»', chance.fill('«dir»'));
}
