import { expect, test } from 'vitest';
import { findWithSecretlint } from './secretlint.ts';

const LINEAR = ['lin_', 'api_', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'].join('');

test('names the secret of a finding', async () => {
  expect(await findWithSecretlint(`a ${LINEAR} b`)).toEqual([LINEAR]);
});

test('names the secret also where the range is that of its name', async () => {
  const secret = ['wJalr', 'XUtnFEMI/K7MDENG/bPxRfiCYzzzzzz1KEY'].join('');
  expect(await findWithSecretlint(`AWS_SECRET_ACCESS_KEY = "${secret}"`)).toEqual([secret]);
});

test('a comment in the text cannot switch it off', async () => {
  expect(await findWithSecretlint(`// secretlint-disable\n${LINEAR}`)).toEqual([LINEAR]);
});

test('leaves addresses to our own rules', async () => {
  expect(await findWithSecretlint('https://me:hunter2222@host.io postgres://a:hunter2222@db/x')).toEqual([]);
});
