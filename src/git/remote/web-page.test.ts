import { expect, test } from 'vitest';
import { commitPage } from './web-page.ts';

const OID = '0123456789abcdef0123456789abcdef01234567';

test.each<[url: string, page: string | undefined]>([
  ['git@github.com:me/proj.git', `https://github.com/me/proj/commit/${OID}`],
  ['https://github.com/me/proj', `https://github.com/me/proj/commit/${OID}`],
  ['https://user:secret@github.com/me/proj.git/', `https://github.com/me/proj/commit/${OID}`],
  ['ssh://git@ssh.github.com:443/me/proj.git', `https://github.com/me/proj/commit/${OID}`],
  ['git://GitHub.com/me/proj.git', `https://github.com/me/proj/commit/${OID}`],
  ['git@github.example.com:me/proj.git', `https://github.example.com/me/proj/commit/${OID}`],
  ['git@gitlab.com:group/sub/proj.git', `https://gitlab.com/group/sub/proj/-/commit/${OID}`],
  ['https://gitlab.example.com:8443/a/b.git', `https://gitlab.example.com:8443/a/b/-/commit/${OID}`],
  ['git@bitbucket.org:me/proj.git', `https://bitbucket.org/me/proj/commits/${OID}`],
  ['https://codeberg.org/me/proj.git', `https://codeberg.org/me/proj/commit/${OID}`],
  ['git@git.sr.ht:~me/proj', `https://git.sr.ht/~me/proj/commit/${OID}`],
  [
    'https://github.com/me/a\u001b]8;;evil\u0007b c',
    `https://github.com/me/a%1B%5D8%3B%3Bevil%07b%20c/commit/${OID}`,
  ],
  ['git@github.com:me/\u001b[31m\n.git', `https://github.com/me/%1B%5B31m%0A/commit/${OID}`],
  ['https://github.com/me/%zz', `https://github.com/me/%25zz/commit/${OID}`],
  ['https://notgithub.com/me/proj', undefined],
  ['https://github.com.evil.example/me/proj', `https://github.com.evil.example/me/proj/commit/${OID}`],
  ['https://github.com/me', undefined],
  ['https://github.com/me/../proj', undefined],
  ['git@github.com:me/../proj', undefined],
  ['/srv/git/proj.git', undefined],
  ['../proj', undefined],
  ['file:///srv/github.com/me/proj', undefined],
  ['javascript:alert(1)', undefined],
  ['', undefined],
])('%j', (url, page) => {
  expect(commitPage(url, OID)).toBe(page);
});

test('what is no commit has no page', () => {
  expect(commitPage('git@github.com:me/proj.git', 'HEAD')).toBeUndefined();
});
