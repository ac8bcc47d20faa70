import type { rules as presetRules } from '@secretlint/secretlint-rule-preset-recommend';
import { EntireError } from '../base/errors.ts';
import { isStandIn } from './redact-passwords.ts';
import { REDACTED } from './redact-regions.ts';

type SecretlintRule = (typeof presetRules)[number];

/**
 * Rules of the preset that must not run here. `filter-comments` lets the words `secretlint-disable`, written
 * anywhere in a transcript, switch the others off. `gcp` looks at files on disk. The two for addresses replace the
 * host as well, and do not know our placeholders: our own rule covers them.
 */
const UNWANTED = /-(?:filter-comments|gcp|basicauth|database-connection-string)$/;

/**
 * Asks secretlint for the secrets in `text`. Loads it on first use.
 *
 * @throws {EntireError} `REDACTION_FAILED`
 */
export async function findWithSecretlint(text: string): Promise<string[]> {
  try {
    const [{ lintSource }, { rules }] = await Promise.all([
      import('@secretlint/core'),
      import('@secretlint/secretlint-rule-preset-recommend'),
    ]);
    const rule = { id: 'all', rule: asOne(rules.filter(({ meta }) => !UNWANTED.test(meta.id))) };
    const { messages } = await lintSource({
      source: { filePath: 'transcript.txt', ext: '.txt', contentType: 'text', content: text },
      options: { noPhysicFilePath: true, config: { rules: [rule] } },
    });
    return messages.flatMap(({ range, data }) => secretsOf(text, range, data));
  } catch (cause) {
    throw new EntireError('REDACTION_FAILED', 'secrets could not be looked for', { cause });
  }
}

/**
 * Makes one rule of many. The core's profiler keeps several records per rule and call for ever and searches them all;
 * and a preset cannot be used, because the core does not look at which of its rules are disabled.
 */
function asOne(rules: readonly SecretlintRule[]): SecretlintRule {
  return {
    messages: {},
    meta: { id: 'all', type: 'scanner', recommended: true, supportedContentTypes: ['text'] },
    create(context) {
      const reports = rules.map((rule) => rule.create(context, {}));
      return {
        async file(source) {
          for (const report of reports) await report.file?.(source);
        },
      };
    },
  };
}

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
