// Loaded with the first file that is read (`read-structure.ts`): it brings the parser, and all paths to grammars.
import { Language as Grammar, Parser, Query } from 'web-tree-sitter';
import type { Language } from './language.ts';
import { C } from './languages/c.ts';
import { CPP } from './languages/cpp.ts';
import { GO } from './languages/go.ts';
import { JAVA } from './languages/java.ts';
import { JAVASCRIPT, TYPESCRIPT } from './languages/javascript.ts';
import { PYTHON } from './languages/python.ts';
import { ERRORS, type LanguageQuery } from './languages/rules.ts';
import { RUST } from './languages/rust.ts';
import { readWasm } from './wasm-files.ts';

/** A grammar that is ready to be used: one of each language for the whole process. */
export interface LoadedGrammar {
  readonly Parser: typeof Parser;
  readonly grammar: Grammar;
  readonly query: Query;
  /** After this no grammar can be had: a runtime that broke off in mid-work cannot be trusted, and cannot be replaced. */
  readonly giveUp: () => void;
}

const PAGE = 65_536;
/** What the parser may take, which it never gives back: five times what source code of two megabytes wants. */
const MEMORY = { initial: (32 << 20) / PAGE, maximum: (512 << 20) / PAGE } as const;

let runtime: Promise<void> | undefined;
let isGivenUp = false;
const grammars = new Map<Language, Promise<LoadedGrammar>>();

/**
 * Loads a grammar when it is asked for the first time. What failed is tried again at the next call.
 *
 * @throws where the runtime was given up, or the file cannot be read, is no grammar, or is one of a version that the runtime does not know
 */
export function loadGrammar(language: Language): Promise<LoadedGrammar> {
  if (isGivenUp) return Promise.reject(new Error('the parser broke off at an earlier file'));
  const known = grammars.get(language);
  if (known) return known;
  const loading = load(language);
  grammars.set(language, loading);
  loading.catch(() => grammars.delete(language));
  return loading;
}

async function load(language: Language): Promise<LoadedGrammar> {
  try {
    runtime ??= startRuntime();
    await runtime;
  } catch (cause) {
    runtime = undefined;
    throw new Error('the parser cannot be loaded', { cause });
  }
  try {
    const grammar = await Grammar.load(readWasm(language));
    const query = new Query(grammar, QUERIES[language] + ERRORS);
    return { Parser, grammar, query, giveUp };
  } catch (cause) {
    throw new Error(`the grammar of ${language} cannot be loaded`, { cause });
  }
}

function giveUp(): void {
  isGivenUp = true;
}

/** A library prints nothing: what the runtime has to say on its way out is in the error, too. */
async function startRuntime(): Promise<void> {
  const silent = (): void => {};
  const wasmMemory = new WebAssembly.Memory(MEMORY);
  const options = { wasmBinary: readWasm('runtime'), wasmMemory, print: silent, printErr: silent };
  await Parser.init(options as Parameters<typeof Parser.init>[0]);
}

const QUERIES: Readonly<Record<Language, LanguageQuery>> = {
  python: PYTHON,
  c: C,
  cpp: CPP,
  typescript: TYPESCRIPT,
  tsx: TYPESCRIPT,
  javascript: JAVASCRIPT,
  go: GO,
  rust: RUST,
  java: JAVA,
};
