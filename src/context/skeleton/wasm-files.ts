/// <reference path="./wasm.d.ts" />
// The only module that names WASM files: plain imports are what esbuild, Bun's compiler and the tests all understand.
import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import cpp from '@vscode/tree-sitter-wasm/wasm/tree-sitter-cpp.wasm';
import go from '@vscode/tree-sitter-wasm/wasm/tree-sitter-go.wasm';
import java from '@vscode/tree-sitter-wasm/wasm/tree-sitter-java.wasm';
import javascript from '@vscode/tree-sitter-wasm/wasm/tree-sitter-javascript.wasm';
import python from '@vscode/tree-sitter-wasm/wasm/tree-sitter-python.wasm';
import rust from '@vscode/tree-sitter-wasm/wasm/tree-sitter-rust.wasm';
import tsx from '@vscode/tree-sitter-wasm/wasm/tree-sitter-tsx.wasm';
import typescript from '@vscode/tree-sitter-wasm/wasm/tree-sitter-typescript.wasm';
import c from 'tree-sitter-c/tree-sitter-c.wasm';
import runtime from 'web-tree-sitter/web-tree-sitter.wasm';
import { disk } from '../../base/file/disk.ts';

const FILES = { runtime, python, c, cpp, typescript, tsx, javascript, go, rust, java };

/** The bytes of the parser's runtime or of a grammar. @throws the system error */
export function readWasm(name: keyof typeof FILES): Uint8Array<ArrayBuffer> {
  const path = FILES[name];
  // esbuild gives a path from the chunk that holds this module; Bun and the tests an absolute one.
  const file = isAbsolute(path) ? path : fileURLToPath(new URL(path, import.meta.url));
  return new Uint8Array(disk.readFileSync(file));
}
