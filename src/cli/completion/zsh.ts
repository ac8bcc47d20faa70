import { type CommandPage, type Completion, type Flag, lastWord } from '../command.ts';
import { isIdKind } from './ids.ts';

/** A completion script for zsh: to be sourced, or saved as `_entire` in a folder of `fpath`. */
export function renderZsh(pages: readonly CommandPage[]): string {
  return `#compdef entire
# zsh completion for entire
_entire_commits() {
  local -a refs
  refs=(HEAD \${(f)"$(git for-each-ref --format='%(refname:short)' refs/heads refs/tags refs/remotes 2>/dev/null)"})
  refs=(\${refs:#entire/*}) # ours
  compadd -a refs
}
_entire_ids() {
  local kind=$@[-1] # behind what _arguments gives
  local -a ids
  ids=(\${(f)"$(entire completion --ids $kind --word="$PREFIX" 2>/dev/null)"})
  ids=(\${\${ids//:/\\\\:}/$'\\t'/:})
  _describe -V -t $kind $kind ids
}
_entire_targets() { _entire_ids session; _entire_commits }
_entire_what() { _entire_ids turn; _entire_commits }
${pages
  .flatMap((page) => [page, ...page.commands])
  .flatMap(renderBehind)
  .join('\n')}
_entire() {
  local context state state_descr line
  typeset -A opt_args
  local -a commands
  _arguments -C '(- *)'{-h,--help}'[Show help]' '(- *)--version[Show version and build]' '1: :->command' '*:: :->argument' && return
  case $state in
  command)
    commands=(
${pages
  .filter(({ isHidden }) => !isHidden)
  .flatMap(renderName)
  .join('\n')}
    )
    _describe -t commands 'entire command' commands
    ;;
  argument)
    local command=$words[1]
    (( CURRENT > 2 )) && command+=" $words[2]"
    case $command in
${pages.flatMap((page) => [...page.commands.map(renderBelow), renderCommand(page)]).join('\n')}
    esac
    ;;
  esac
}
if [ "$funcstack[1]" = _entire ]; then _entire "$@"; else compdef _entire entire; fi
`;
}

/** What is offered behind a word, in a function of its own. */
function renderBehind({ name, completes, completesBehind }: CommandPage): string[] {
  if (!completesBehind) return [];
  const cases = Object.entries(completesBehind).map(
    ([word, offered]) => `  ${word}) ${offered.length > 0 ? `compadd -- ${offered.join(' ')}` : ':'} ;;`,
  );
  const others = Array.isArray(completes) ? `compadd -- ${completes.join(' ')}` : ':';
  return [
    [
      `${behindOf(name)}() {`,
      '  case $words[CURRENT-1] in',
      ...cases,
      `  *) ${others} ;;`,
      '  esac',
      '}',
    ].join('\n'),
  ];
}

const behindOf = (name: string): string => `_entire_${name.replaceAll(' ', '_')}`;

const renderName = ({ name, aliases, describe }: CommandPage): string[] =>
  [name, ...aliases].map((word) => `      ${quote(`${word}:${describe}`)}`);

const renderCommand = (page: CommandPage): string =>
  renderCase([page.name, ...page.aliases].flatMap((name) => [name, `${name}\\ *`]).join('|'), page, '');

/** Its own word is behind it, then. */
const renderBelow = (page: CommandPage): string =>
  renderCase(quote(page.name), page, '      shift words; (( CURRENT-- ))\n');

function renderCase(
  pattern: string,
  { name, flags, completes, completesBehind, commands }: CommandPage,
  before: string,
): string {
  const below = commands.map((one) => `${lastWord(one)}\\:${quoteIn(one.describe)}`);
  const argument =
    below.length > 0
      ? [quote(['1', ' ', `((${below.join(' ')}))`].join(':'))]
      : completes
        ? [quote(`*: :${completesBehind ? behindOf(name) : action(completes)}`)]
        : [];
  const specs = [...flags.map(renderFlag), ...argument];
  return `    ${pattern})
${before}      _arguments \\
${specs.map((spec) => `        ${spec}`).join(' \\\n')}
      ;;`;
}

/** In the list of words of an argument, a description stands in double quotes. */
const quoteIn = (text: string): string => `"${text.replace(/["\\`$]/g, '\\$&')}"`;

/** `'(-f --force)'{-f,--force}'[what it does]'`, with `=` and what completes it where the flag takes a value. */
function renderFlag({ name, short, describe, value: placeholder, completes }: Flag): string {
  const text = describe.replace(/[[\]\\:]/g, '\\$&');
  const takesValue = placeholder !== undefined;
  const value = takesValue ? `:${name}:${action(completes)}` : '';
  const rest = `[${text}]${value}`;
  if (!short) return quote(`--${name}${takesValue ? '=' : ''}${rest}`);
  return `'(-${short} --${name})'{-${short}${takesValue ? '+' : ''},--${name}${takesValue ? '=' : ''}}${quote(rest)}`;
}

function action(completes: Completion | undefined): string {
  if (completes === 'file') return '_files';
  if (completes === 'commit') return '_entire_commits';
  if (completes === 'target') return '_entire_targets';
  if (completes === 'what') return '_entire_what';
  if (typeof completes === 'string' && isIdKind(completes)) return `_entire_ids ${completes}`;
  return Array.isArray(completes) ? `(${completes.join(' ')})` : ' ';
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
