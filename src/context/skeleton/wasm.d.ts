/** Bundlers put the file beside the program; what an import gives is the path to it. */
declare module '*.wasm' {
  const path: string;
  // biome-ignore lint/style/noDefaultExport: this is how every bundler hands over the path of a file
  export default path;
}

/** As much as we use of what only the types for browsers have. */
declare namespace WebAssembly {
  /** @see https://developer.mozilla.org/docs/WebAssembly/Reference/JavaScript_interface/Memory */
  class Memory {
    constructor(pages: { readonly initial: number; readonly maximum: number });
    private readonly buffer: ArrayBuffer;
  }
  class RuntimeError extends Error {}
}
