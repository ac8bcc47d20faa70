/**
 * What tests are marked with. `npm test` leaves out all of these; `npm run test:all` takes those that say whose work a commit and a line is,
 * `npm run test:more` all others.
 */
export const TAGS = [
  { name: 'variation', description: 'one more case beside what a scenario of its folder shows' },
  { name: 'node-build', description: 'what was tried over the native build, over the one that runs in Node' },
  { name: 'long', description: 'many processes at once, many kills, or many steps' },
];
