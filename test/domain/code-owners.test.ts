import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ownersOf } from '../../src/domain/code-owners.ts';

const file = [
  '# who owns what',
  '*                     @acme/everybody',
  '*.js                  @js',
  '/apps/                @acme/apps # all of them',
  'apps/payments         @dana @acme/payments ops@acme.example',
  '/apps/*               @near',
  '**/charts/**          @acme/charts',
  'infra/**/network/     @acme/net',
  '!apps/orders          @nobody',
  'apps/[a-z]            @class',
  'docs/free',
].join('\r\n');

it.each([
  ['', ['@acme/everybody']],
  ['infra', ['@acme/everybody']],
  ['apps', ['@near']],
  ['apps/orders', ['@acme/apps']],
  ['apps/payments', ['@dana', '@acme/payments', 'ops@acme.example']],
  ['apps/payments/prod', ['@dana', '@acme/payments', 'ops@acme.example']],
  ['old/apps/payments', ['@acme/everybody']],
  ['apps/orders/charts/web', ['@acme/charts']],
  ['infra/eu/west/network', ['@acme/net']],
  ['infra/eu/west/networks', ['@acme/everybody']],
  ['docs/free', []],
])('names the owners of the folder "%s"', (path, owners) => {
  expect(ownersOf(file, path)).toEqual(owners);
});

it('never throws, and names nobody where the file does not', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.string(), (text, path) => {
      const owners = ownersOf(text, path);
      expect(owners.every((owner) => text.includes(owner))).toBe(true);
    }),
  );
});
