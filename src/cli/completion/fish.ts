import { type CommandPage, type Completion, type Flag, lastWord } from '../command.ts';
import { isIdKind } from './ids.ts';

/** A completion script for fish: to be sourced, or saved as `entire.fish` in its folder of completions. */
export function renderFish(pages: readonly CommandPage[]): string {
  const lines = [
    '# fish completion for entire',
    'function __entire_commits',
    '  echo HEAD',
    "  git for-each-ref --format='%(refname:short)' refs/heads refs/tags refs/remotes 2>/dev/null | string match -v 'entire/*'",
    'end',
    'function __entire_ids',
    '  entire completion --ids $argv[1] --word=(commandline -ct) 2>/dev/null',
    'end',
    'function __entire_behind',
    '  contains -- (commandline -opc)[-1] $argv',
    'end',
    'complete -c entire -f',
    ...pages.filter(({ isHidden }) => !isHidden).flatMap(renderName),
    "complete -c entire -n __fish_use_subcommand -l version -d 'Show version and build'",
    ...pages.flatMap((page) => [
      ...renderCommand(page),
      ...page.commands.flatMap((one) => renderBelow(page, one)),
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

const renderName = ({ name, aliases, describe }: CommandPage): string[] =>
  [name, ...aliases].map(
    (word) => `complete -c entire -n __fish_use_subcommand -a ${word} -d ${quote(describe)}`,
  );

/** The words by which `__fish_seen_subcommand_from` knows that a command was typed. */
const seen = (...words: string[]): string => `__fish_seen_subcommand_from ${words.join(' ')}`;

function renderCommand({ name, aliases, commands, ...page }: CommandPage): string[] {
  const isBare = commands.length === 0 ? '' : `; and not ${seen(...commands.map(lastWord))}`;
  const when = `complete -c entire -n '${seen(name, ...aliases)}${isBare}'`;
  if (commands.length === 0) return renderOffers(when, page);
  const words = commands.map((one) => `${when} -a ${lastWord(one)} -d ${quote(one.describe)}`);
  return [...renderOffers(when, { ...page, completes: undefined }), ...words];
}

function renderBelow(above: CommandPage, page: CommandPage): string[] {
  const when = `${seen(above.name)}; and ${seen(lastWord(page))}`;
  const { completesBehind = {}, completes } = page;
  const behind = Object.entries(completesBehind);
  const line = (condition: string): string => `complete -c entire -n '${condition}'`;
  if (behind.length === 0 || !completes) return renderOffers(line(when), page);
  const isFirst = `${when}; and not __entire_behind ${behind.map(([word]) => word).join(' ')}`;
  return [
    ...renderOffers(line(when), { ...page, completes: undefined }),
    `${line(isFirst)} ${offer(completes)}`,
    ...behind
      .filter(([, offered]) => offered.length > 0)
      .map(([word, offered]) => `${line(`${when}; and __entire_behind ${word}`)} ${offer(offered)}`),
  ];
}

function renderOffers(
  when: string,
  { flags, completes }: Pick<CommandPage, 'flags' | 'completes'>,
): string[] {
  const argument = completes ? [`${when} ${offer(completes)}`] : [];
  return [...flags.map((flag) => `${when} ${renderFlag(flag)}`), ...argument];
}

function renderFlag({ name, short, describe, value: placeholder, completes }: Flag): string {
  const value = placeholder !== undefined ? ` -r ${completes ? offer(completes) : '-f'}` : '';
  return `-l ${name}${short ? ` -s ${short}` : ''}${value} -d ${quote(describe)}`;
}

function offer(completes: Completion): string {
  if (completes === 'file') return '-F';
  if (completes === 'commit') return "-f -a '(__entire_commits)'";
  if (completes === 'target') return "-f -k -a '(__entire_ids session; __entire_commits)'";
  if (completes === 'what') return "-f -k -a '(__entire_ids turn; __entire_commits)'";
  if (typeof completes === 'string' && isIdKind(completes)) return `-f -k -a '(__entire_ids ${completes})'`;
  return Array.isArray(completes) ? `-f -a ${quote(completes.join(' '))}` : '-f';
}

/** In single quotes fish reads backslashes only before a quote or another backslash. */
const quote = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;
