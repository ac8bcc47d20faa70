/** What can be told of a text by looking at its lines: enough for a model to decide whether to read the file. */
export interface SummaryRules {
  readonly language: string;
  /** What the file needs; the first group that took part is its name. */
  readonly imports?: RegExp;
  /** What the file has, or its headings: the groups that took part, with blanks between them; those around do not count. */
  readonly symbols?: RegExp;
  /** What a line of comment begins with. */
  readonly comment?: RegExp;
}

const SLASHES = /^\s*(?:\/\/[/!]?|\/?\*+(?!\/))\s?/;
const HASH = /^\s*#+(?!!)\s?/;
const DASHES = /^\s*--+\s?/;

const C_IMPORTS = /^\s*#\s*include\s*[<"]([^>"]+)[>"]/;
const C_SYMBOLS =
  /^(?:(?:typedef|static|inline|extern|constexpr|template\s*<[^>]*>)\s+)*(struct|class|enum|union|namespace)\s+(\w+)\s*(?:[:{]|$)|^\s*#\s*(define)\s+(\w+)|^(?:[\w:*&<>,]+\s+)+[*&]*([\w:~]+)\([^;]*$/;
const JS: Omit<SummaryRules, 'language'> = {
  imports:
    /^(?:import|export|\})[^'"]*\bfrom\s*['"]([^'"]+)['"]|^import\s*['"]([^'"]+)['"]|\b(?:require|import)\(['"]([^'"]+)['"]\)/,
  symbols:
    /^(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(function|class|interface|type|enum|namespace)\b\*?\s+(\w+)|^export\s+(const|let|var)\s+(\w+)/,
  comment: SLASHES,
};
const JVM: Omit<SummaryRules, 'language'> = {
  imports: /^\s*(?:import|using|use)\s+(?:static\s+)?([\w.*\\]+)/,
  symbols:
    /^\s*(?:(?:public|private|protected|internal|abstract|final|sealed|static|data|open|case|partial|export|suspend|override)\s+)*(class|interface|enum|record|struct|trait|object|protocol|extension|mixin|func|fun|function)\s+(\w+)/,
  comment: SLASHES,
};
const HEADINGS = /^#{1,6}\s+(.+?)\s*#*$/;
const TABLES = /^\s*\[{1,2}([^[\]]+)\]{1,2}\s*(?:[#;].*)?$/;

/** By the ending of the file's name, or the name itself; in lower case. */
const BY_NAME: readonly (readonly [names: string, rules: SummaryRules])[] = [
  [
    'py pyi pyw',
    {
      language: 'Python',
      imports: /^\s*(?:from\s+([\w.]+)\s+import|import\s+([\w.]+))/,
      symbols: /^(?:async\s+)?(def|class)\s+(\w+)/,
      comment: HASH,
    },
  ],
  ['js mjs cjs jsx', { language: 'JavaScript', ...JS }],
  ['ts mts cts tsx', { language: 'TypeScript', ...JS }],
  ['vue svelte', { language: 'Component', ...JS }],
  ['c h', { language: 'C', imports: C_IMPORTS, symbols: C_SYMBOLS, comment: SLASHES }],
  [
    'cc cpp cxx c++ hh hpp hxx ipp m mm',
    { language: 'C++', imports: C_IMPORTS, symbols: C_SYMBOLS, comment: SLASHES },
  ],
  [
    'go',
    {
      language: 'Go',
      imports: /^\s*(?:import\s+)?(?:[\w.]+\s+)?"([^"]+)"\s*$/,
      symbols: /^(func|type|const|var)\s+(?:\([^)]*\)\s*)?(\w+)/,
      comment: SLASHES,
    },
  ],
  [
    'rs',
    {
      language: 'Rust',
      imports: /^\s*(?:pub\s+)?use\s+([\w:]+)/,
      symbols:
        /^(?:pub(?:\([^)]*\))?\s+)?(?:async\s+|unsafe\s+|const\s+)*(fn|struct|enum|trait|mod|type|impl|union|static|macro_rules!)\s*(?:<[^>]*>\s*)?([\w:]+)/,
      comment: SLASHES,
    },
  ],
  ['java', { language: 'Java', ...JVM }],
  ['kt kts', { language: 'Kotlin', ...JVM }],
  ['cs', { language: 'C#', ...JVM }],
  ['scala', { language: 'Scala', ...JVM }],
  ['swift', { language: 'Swift', ...JVM }],
  ['dart', { language: 'Dart', ...JVM }],
  ['php', { language: 'PHP', ...JVM }],
  [
    'rb rake gemspec gemfile rakefile',
    {
      language: 'Ruby',
      imports: /^\s*require(?:_relative)?\s+['"]([^'"]+)['"]/,
      symbols: /^\s*(def|class|module)\s+([\w.:?!]+)/,
      comment: HASH,
    },
  ],
  [
    'sh bash zsh fish ksh',
    {
      language: 'Shell',
      imports: /^\s*(?:source|\.)\s+["']?([^\s"']+)/,
      symbols: /^\s*(function)\s+([\w:-]+)|^\s*([\w:-]+)\s*\(\)/,
      comment: HASH,
    },
  ],
  [
    'lua',
    {
      language: 'Lua',
      imports: /\brequire\s*\(?['"]([^'"]+)/,
      symbols: /^(?:local\s+)?(function)\s+([\w.:]+)/,
      comment: DASHES,
    },
  ],
  [
    'pl pm',
    {
      language: 'Perl',
      imports: /^\s*(?:use|require)\s+([\w:]+)/,
      symbols: /^\s*(sub|package)\s+([\w:]+)/,
      comment: HASH,
    },
  ],
  [
    'ex exs',
    {
      language: 'Elixir',
      imports: /^\s*(?:import|alias|use|require)\s+([\w.]+)/,
      symbols: /^\s*(defmodule|defp?|defmacro)\s+([\w.?!]+)/,
      comment: HASH,
    },
  ],
  [
    'hs',
    {
      language: 'Haskell',
      imports: /^import\s+(?:qualified\s+)?([\w.]+)/,
      symbols: /^(module|data|newtype|class|type)\s+([\w.]+)|^(\w+)\s+::/,
      comment: DASHES,
    },
  ],
  [
    'r',
    {
      language: 'R',
      imports: /^\s*(?:library|require)\(["']?([\w.]+)/,
      symbols: /^([\w.]+)\s*(?:<-|=)\s*function\b/,
      comment: HASH,
    },
  ],
  [
    'sql',
    {
      language: 'SQL',
      symbols:
        /^\s*create\s+(?:or\s+replace\s+)?(?:unique\s+|temp(?:orary)?\s+)?(table|view|index|function|procedure|trigger|type)\s+(?:if\s+not\s+exists\s+)?["`[]?([\w.]+)/i,
      comment: DASHES,
    },
  ],
  [
    'proto',
    {
      language: 'Protocol Buffers',
      imports: /^\s*import\s+"([^"]+)"/,
      symbols: /^\s*(message|service|enum|rpc)\s+(\w+)/,
      comment: SLASHES,
    },
  ],
  [
    'tf hcl',
    {
      language: 'HCL',
      symbols: /^(resource|data|module|variable|output|provider)\s+"([^"]+)"/,
      comment: HASH,
    },
  ],
  [
    'css scss less',
    {
      language: 'Style sheet',
      imports: /^\s*@(?:import|use)\s+["']([^"']+)/,
      symbols: /^([^\s{}@/*][^{}]*)\{/,
      comment: SLASHES,
    },
  ],
  [
    'html htm xhtml',
    {
      language: 'HTML',
      imports: /<(?:script|link)\b[^>]*\b(?:src|href)=["']([^"']+)/i,
      symbols: /<(title|h[1-3])\b[^>]*>([^<]+)/i,
    },
  ],
  ['md markdown mdx', { language: 'Markdown', symbols: HEADINGS }],
  ['adoc asciidoc', { language: 'AsciiDoc', symbols: /^={1,6}\s+(.+)$/ }],
  ['org', { language: 'Org', symbols: /^\*{1,6}\s+(.+)$/ }],
  ['toml', { language: 'TOML', symbols: TABLES, comment: HASH }],
  [
    'ini cfg conf properties editorconfig gitconfig',
    { language: 'Configuration', symbols: TABLES, comment: /^\s*[#;]+\s?/ },
  ],
  ['yaml yml', { language: 'YAML', symbols: /^["']?([\w./-][\w./ -]*?)["']?\s*:(?:\s|$)/, comment: HASH }],
  ['json jsonc json5 ipynb', { language: 'JSON', symbols: /^(?:\t| {1,4})"([^"]+)"\s*:/ }],
  ['jsonl ndjson', { language: 'JSON lines' }],
  ['csv tsv', { language: 'Table' }],
  ['xml svg xsd plist', { language: 'XML' }],
  [
    'makefile mk gnumakefile',
    { language: 'Makefile', imports: /^-?include\s+(\S+)/, symbols: /^([\w./%-]+)\s*:(?!=)/, comment: HASH },
  ],
  [
    'dockerfile containerfile',
    {
      language: 'Dockerfile',
      imports: /^FROM\s+(\S+)/i,
      symbols: /^(RUN|CMD|ENTRYPOINT|EXPOSE|COPY)\s+(\S+)/i,
      comment: HASH,
    },
  ],
  ['txt log', { language: 'Text' }],
];

const RULES = new Map(BY_NAME.flatMap(([names, rules]) => names.split(' ').map((name) => [name, rules])));

const PLAIN: SummaryRules = { language: 'Text' };

/** The rules for a file of that name; those of plain text where nothing is known of it. */
export function summaryRulesOf(name: string): SummaryRules {
  const file = (name.split(/[\\/]/).at(-1) ?? '').toLowerCase();
  const ending = file.slice(file.lastIndexOf('.') + 1);
  return RULES.get(ending) ?? RULES.get(file.replace(/\..*$/, '')) ?? PLAIN;
}
