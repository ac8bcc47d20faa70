/** Bundlers and tests put the text of these files into the program (`with { type: 'text' }`). */
declare module '*.css' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: this is how every bundler hands over a text
  export default text;
}
