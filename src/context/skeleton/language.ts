/** Languages that have a grammar. */
export const LANGUAGES = [
  'python',
  'c',
  'cpp',
  'typescript',
  'tsx',
  'javascript',
  'go',
  'rust',
  'java',
] as const;

export type Language = (typeof LANGUAGES)[number];

const EXTENSIONS: Readonly<Record<Language, string>> = {
  python: 'py pyi pyw',
  c: 'c h',
  cpp: 'cc cpp cxx c++ hh hpp hxx h++ ipp inl tpp cppm ixx',
  typescript: 'ts mts cts',
  tsx: 'tsx',
  javascript: 'js mjs cjs jsx',
  go: 'go',
  rust: 'rs',
  java: 'java',
};

const BY_EXTENSION = new Map(
  LANGUAGES.flatMap((language) => EXTENSIONS[language].split(' ').map((extension) => [extension, language])),
);

/** What C has no word for, at the beginning of a line. */
const ONLY_CPP =
  /^[ \t]*(?:class\s+\w|namespace\b|template\s*<|using\s+\w|(?:public|private|protected)\s*:|constexpr\b)/m;

/**
 * Tells from the name of a file in which language it is, or `undefined` where we have no grammar.
 *
 * A `.h` may be either: it is taken for C++ when its text has something that only C++ has.
 */
export function languageOf(fileName: string, text: string): Language | undefined {
  const extension = /\.([^./\\]+)$/.exec(fileName)?.[1];
  if (extension === 'C' || extension === 'H') return 'cpp'; // by old custom, where case matters
  const language = BY_EXTENSION.get(extension?.toLowerCase() ?? '');
  return language === 'c' && /\.h$/i.test(fileName) && ONLY_CPP.test(text) ? 'cpp' : language;
}
