import type { CommandPage, Completion } from '../command.ts';
import { isIdKind } from './ids.ts';

/**
 * A completion script for bash, from version 3.2 on, which macOS has. Names of branches come from whoever pushed them: they are compared, quoted and inserted, and never go through
 * `compgen -W`, which would expand what they say.
 */
export function renderBash(pages: readonly CommandPage[]): string {
  return `# bash completion for entire
_entire_words() {
  local word
  for word in $1; do
    case $word in "$cur"*) COMPREPLY[\${#COMPREPLY[@]}]="$word " ;; esac
  done
}
_entire_files() {
  local file
  compopt -o filenames +o nospace 2>/dev/null # not in bash 3
  while IFS= read -r file; do
    COMPREPLY[\${#COMPREPLY[@]}]=$file
  done < <(compgen -f -- "$cur")
}
_entire_commits() {
  local ref
  while IFS= read -r ref; do
    case $ref in
    entire/*) ;; # ours
    "$cur"*) COMPREPLY[\${#COMPREPLY[@]}]="$(printf %q "$ref") " ;;
    esac
  done < <(echo HEAD; git for-each-ref --format='%(refname:short)' refs/heads refs/tags refs/remotes 2>/dev/null)
}
_entire_ids() {
  local id
  while IFS= read -r id; do
    id=\${id%%$'\\t'*}
    case $id in ?*) case $id in "$cur"*) COMPREPLY[\${#COMPREPLY[@]}]="$(printf %q "$id") " ;; esac ;; esac
  done < <(entire completion --ids "$1" --word="$cur" 2>/dev/null)
}
_entire() {
  local cur prev command i whole before
  COMPREPLY=()
  cur=\${COMP_WORDS[COMP_CWORD]}
  prev=\${COMP_WORDS[COMP_CWORD - 1]}
  # '=' is a word of its own
  if [ "$cur" = '=' ]; then cur=''
  elif [ "$prev" = '=' ]; then prev=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  # So is ':', unless COMP_WORDBREAKS lacks it: what stands before the last one is not to be inserted again.
  before=
  whole=\${COMP_LINE:0:\${COMP_POINT:-0}}
  whole=\${whole##*[[:space:]=]}
  case $COMP_WORDBREAKS in *:*) case $whole in *:*)
    for ((i = COMP_CWORD; i > 1; i--)); do
      before=\${COMP_WORDS[i]}$before
      [ "$before" = "$whole" ] && break
    done
    prev=\${COMP_WORDS[i - 1]}
    [ "$prev" = '=' ] && prev=\${COMP_WORDS[i - 2]}
    cur=$whole
    before=\${whole%"\${whole##*:}"}
  ;; esac ;; esac
  command=
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in -*) ;; *) command=\${COMP_WORDS[i]}; break ;; esac
  done
  [ -n "$command" ] && [ "$((i + 1))" -lt "$COMP_CWORD" ] && command="$command \${COMP_WORDS[i + 1]}"
  case $command in
  '')
    case $cur in
    -*) _entire_words '--help --version' ;;
    *) _entire_words '${words(pages)}' ;;
    esac
    ;;
${pages.flatMap((page) => [...page.commands.map(renderBelow), renderCommand(page)]).join('\n')}
  esac
  for ((i = 0; i < \${#COMPREPLY[@]}; i++)); do
    COMPREPLY[i]=\${COMPREPLY[i]#"$before"}
  done
}
complete -o nospace -F _entire entire
`;
}

const words = (pages: readonly CommandPage[]): string =>
  pages
    .filter(({ isHidden }) => !isHidden)
    .flatMap(({ name, aliases }) => [name, ...aliases])
    .join(' ');

/** Whatever stands behind the word of a command: `why`, or `why --json`. */
const renderCommand = (page: CommandPage): string =>
  renderCase([page.name, ...page.aliases].flatMap((name) => [name, `${name}\\ *`]).join('|'), page);

const renderBelow = (page: CommandPage): string => renderCase(`'${page.name}'`, page);

function renderCase(pattern: string, { flags, completes, completesBehind = {} }: CommandPage): string {
  const values = flags.filter(({ value }) => value !== undefined);
  const names = flags.flatMap((flag) => [`--${flag.name}`, ...(flag.short ? [`-${flag.short}`] : [])]);
  const lines = [
    `  ${pattern})`,
    '    case $prev in',
    ...values.map((flag) => {
      const spelt = [`--${flag.name}`, ...(flag.short ? [`-${flag.short}`] : [])].join('|');
      return `    ${spelt}) ${offer(flag.completes)}; return ;;`;
    }),
    ...Object.entries(completesBehind).map(([word, offered]) => `    ${word}) ${offer(offered)}; return ;;`),
    '    esac',
    '    case $cur in',
    `    -*) _entire_words '${names.join(' ')}' ;;`,
    `    *) ${offer(completes)} ;;`,
    '    esac',
    '    ;;',
  ];
  return lines.join('\n').replace('    case $prev in\n    esac\n', '');
}

function offer(completes: Completion | undefined): string {
  if (completes === 'file') return '_entire_files';
  if (completes === 'commit') return '_entire_commits';
  if (completes === 'target') return '_entire_commits; _entire_ids session';
  if (completes === 'what') return '_entire_commits; _entire_ids turn';
  if (typeof completes === 'string' && isIdKind(completes)) return `_entire_ids ${completes}`;
  return Array.isArray(completes) && completes.length > 0 ? `_entire_words '${completes.join(' ')}'` : ':';
}
