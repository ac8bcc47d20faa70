/** The text of `page.js`: it is put into pages, and never runs here. */
declare const text: string;
// biome-ignore lint/style/noDefaultExport: this is how every bundler hands over a text
export default text;
