import { harmless, type Kind } from '../kind.ts';

/** What git prints: none of it is a secret. */
export const GIT: readonly Kind[] = [
  harmless('git log', [
    'commit «h40»\nAuthor: «Name» <«email»>\nDate:   Mon Jan 5 10:11:12 2026 +0100\n\n    Fix token «verb»',
    '«h7» (HEAD -> «branch») Rotate keys in «svc»\n«h7» Merge branch «branch»',
    '«h40» «h40» «Name» <«email»> 17676«d5» +0000\tcommit: «verb» «noun»',
  ]),
  harmless('git objects', [
    '100644 blob «h40»\t«file»',
    'object «h64»\ntype commit\ntag v«ver»',
    'index «h7»..«h7» 100644\n--- a/«file»\n+++ b/«file»',
    '«h40» refs/heads/«branch»',
    '.git/objects/«h2»/«h38»',
    'tree «h40»\nparent «h40»\nauthor «Name» <«email»> 17676«d5» +0100',
  ]),
  harmless('git output', [
    'To github.com:«repo».git\n   «h7»..«h7»  «branch» -> «branch»',
    'HEAD is now at «h7» «verb» «noun» tokens',
    'Entire-Checkpoint: «h12»',
    'git cherry-pick «h40» «h40»',
    'From https://github.com/«repo»\n * branch            «branch»       -> FETCH_HEAD',
  ]),
  harmless('patch', [
    '@@ -1«d1»,7 +1«d1»,7 @@ export function «fn»() {\n-  const «noun» = «fn»(«word»);\n+  const «noun» = await «fn»(«word»);',
    'diff --git a/«file» b/«file»\nindex «h11»..«h11» 100644',
    'similarity index 97%\nrename from «file»\nrename to «file»',
  ]),
];
