import { EntireError } from '../../base/errors.ts';
import { REDACTED } from './regions.ts';
import { isStandIn } from './rule/passwords.ts';

/** What a rule says: its own types are those of a package that we do not need. */
interface Report {
  readonly message: { readonly data?: unknown };
  readonly range: readonly [start: number, end: number];
}

/** What rules are given to speak through. */
interface Context {
  readonly sharedOptions: object;
  readonly createTranslator: () => (messageId: string, data: unknown) => Report['message'];
  readonly report: (report: Report) => void;
  readonly ignore: () => void;
}

interface Source {
  readonly filePath: string;
  readonly ext: string;
  readonly contentType: 'text';
  readonly content: string;
  readonly hasBOM: boolean;
  readonly getFilePath: () => string;
  readonly getPhysicalFilePath: () => undefined;
}

interface SecretlintRule {
  readonly meta: { readonly id: string };
  readonly create: (
    context: Context,
    options: object,
  ) => { readonly file?: (source: Source) => void | Promise<void> };
}

/**
 * Rules of the preset that must not run here. `filter-comments` lets the words `secretlint-disable`, written
 * anywhere in a transcript, switch the others off. `gcp` looks at files on disk. The two for addresses replace the
 * host as well, and do not know our placeholders: our own rule covers them.
 */
const UNWANTED = /-(?:filter-comments|gcp|basicauth|database-connection-string)$/;

/**
 * Asks secretlint's rules for the secrets in `text`. Loads them on first use.
 *
 * Without secretlint's core: it compares each report with all others, looks up the line of each, and its profiler keeps
 * records of every call for ever.
 *
 * @throws {EntireError} `REDACTION_FAILED`
 */
export async function findWithSecretlint(text: string): Promise<string[]> {
  try {
    const { rules } = await import('@secretlint/secretlint-rule-preset-recommend');
    const wanted = (rules as unknown as readonly SecretlintRule[]).filter(
      ({ meta }) => !UNWANTED.test(meta.id),
    );
    const reports: Report[] = [];
    const context = makeContext((report) => void reports.push(report));
    const source = makeSource(text);
    for (const rule of wanted) await rule.create(context, {}).file?.(source);
    return [...new Set(reports.flatMap(({ message, range }) => secretsOf(text, range, message.data)))];
  } catch (cause) {
    throw new EntireError('REDACTION_FAILED', 'secrets could not be looked for', { cause });
  }
}

/** Of their messages only the data is used. */
const makeContext = (report: Context['report']): Context => ({
  sharedOptions: {},
  createTranslator: () => (_, data) => ({ data }),
  report,
  ignore: () => {}, // for comments, which are not listened to
});

const makeSource = (content: string): Source => ({
  filePath: 'transcript.txt',
  ext: '.txt',
  contentType: 'text',
  content,
  hasBOM: false,
  getFilePath: () => 'transcript.txt',
  getPhysicalFilePath: () => undefined,
});

/** How far behind its range a message's secret may end. */
const SLACK = 256;

/**
 * The secret of one message. Some rules (AWS) give the range of the secret's length at the place of its name; the
 * message's data then holds the secret itself.
 */
function secretsOf(text: string, [start, end]: readonly [number, number], data: unknown): string[] {
  const exact = text.slice(start, end);
  const values = Object.values(data ?? {}).filter((value): value is string => typeof value === 'string');
  const near = text.slice(start, end + SLACK);
  const found = values.includes(exact) ? [exact] : values.filter((value) => value && near.includes(value));
  return (found.length > 0 ? found : [exact]).filter(
    (secret) => !secret.includes(REDACTED) && !isStandIn(secret),
  );
}
