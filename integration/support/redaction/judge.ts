import { redactPrompts, redactTranscript } from '../../../src/checkpoint/redact/redact.ts';
import type { Text } from './corpus.ts';

/** What became of a text. */
export interface Verdict {
  /** Secrets that are gone; of a harmless text 1 when not a character changed. */
  readonly right: number;
  readonly all: number;
  /** What is stored of it. */
  readonly stored: string;
}

const PROMPT_SEPARATOR = '\n\n---\n\n';

/** Redacts a text as hooks do, its prompts once more as they are stored by themselves, and looks at what is left. */
export async function judgeText({ rendered, secrets }: Text): Promise<Verdict> {
  const { lines, prompts } = rendered;
  const joined = prompts.join(PROMPT_SEPARATOR);
  const transcript = await redactTranscript(lines, []);
  const prompt = prompts.length === 0 ? '' : (await redactPrompts(joined, transcript.learned)).text;
  const stored = transcript.text + prompt;
  if (secrets.length === 0) return { right: stored === lines + joined ? 1 : 0, all: 1, stored };
  const values = [...stringsIn(transcript.text), prompt];
  const found = secrets.filter((secret) => !values.some((value) => survives(secret, value)));
  return { right: found.length, all: secrets.length, stored };
}

/** Whether a run of half of the secret's characters is left, four at least. */
export function survives(secret: string, text: string): boolean {
  const telling = Math.max(Math.ceil(secret.length / 2), Math.min(4, secret.length));
  for (let at = 0; at + telling <= secret.length; at++)
    if (text.includes(secret.slice(at, at + telling))) return true;
  return false;
}

/** All strings in JSON lines, keys too, and those within strings that are JSON themselves. */
export function stringsIn(lines: string): string[] {
  const strings: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value === 'string') {
      strings.push(value);
      if (/^\s*[[{]/.test(value)) walk(parseOr(value, undefined));
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, one] of Object.entries(value)) {
        strings.push(key);
        walk(one);
      }
    }
  };
  for (const line of lines.split('\n')) if (line !== '') walk(parseOr(line, line));
  return strings;
}

function parseOr<T>(text: string, otherwise: T): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}
