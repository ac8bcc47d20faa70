import { harmless, type Kind } from '../kind.ts';

/** Paths: none of it is a secret. */
export const PATHS: readonly Kind[] = [
  harmless(
    'paths',
    [
      '«dir»/packages/«svc»/src/components/«Type».stories.tsx',
      'C:\\Users\\«user»\\AppData\\Local\\Programs\\Microsoft VS Code\\resources\\app\\out',
      '/usr/lib/x86_64-linux-gnu/libgobject-2.0.so.0.7200.4',
      '/proc/self/fd/63 /dev/mapper/ubuntu--vg-ubuntu--lv',
      'src/auth/__tests__/passwordResetTokenExpiry.integration.test.ts',
      '«dir»/.env.example',
    ],
    ['path', 'prompt', 'tool result', 'command', 'text', 'nested JSON', 'tool input'],
  ),
  harmless(
    'hashed paths',
    [
      '/nix/store/«l32»-nodejs-20.12.2/bin/node',
      'target/debug/deps/libserde_json-«h16».rmeta',
      '/var/folders/zz/zyxvpxvq6csfxvn_n0000000000000/T/entire-test-«A6»',
      '«dir»/.cache/«h2»/«h38»',
      '/tmp/claude-501/-Users-«user»-«svc»/tasks/«l9».output',
      '~/Library/Developer/Xcode/DerivedData/«Word»-«c28»/Build',
      '/home/«user»/.npm/_cacache/content-v2/sha512/«h2»/«h2»/«h124»',
      '«dir»/.yarn/cache/«kebab»-npm-«ver»-«h10»-«h10».zip',
    ],
    ['path', 'prompt', 'tool result', 'command', 'text', 'nested JSON', 'tool input'],
  ),
  harmless('module paths', [
    'node_modules/.pnpm/@babel+plugin-transform-react-jsx-self@«ver»_@babel+core@«ver»/node_modules',
    'at Object.<anonymous> («dir»/src/services/TokenService.ts:118:23)',
    'at «fn» (webpack-internal:///./«file»:«d2»:«d2»)',
    "import secrets from '../../config/secrets/«env»/index.js'",
    'github.com/«repo»/internal/token.(*«Type»).«Noun»(0xc000«h6»)',
    '    at async «Type».«fn» (file://«dir»/«file»:«d3»:«d2»)',
  ]),
];
