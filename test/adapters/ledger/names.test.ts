import fc from 'fast-check';
import { expect, test } from 'vitest';
import { objectName } from '../../../src/adapters/ledger/names.ts';

test('a name that is one stays as it is', () => {
  for (const name of ['shop', 'shop-1', 'shop.eu-west', '0', 'a'.repeat(253)])
    expect(objectName(name)).toBe(name);
});

test('anything else keeps its readable part and gets a digest', () => {
  expect(
    ['argocd/shop', 'Shop', 'shop.', '../../etc', '', '👍', 'a'.repeat(254)].map(objectName),
  ).toMatchInlineSnapshot(`
    [
      "argocd-shop-e1456f7724",
      "shop-d00aae6b7f",
      "shop-900b468d48",
      "etc-74ccf3c5b4",
      "x-e3b0c44298",
      "x-5d57d39e6b",
      "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-136496c2a1",
    ]
  `);
});

test('whatever it is made of, a name is valid, and two texts never share one', () => {
  const valid = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), (one, other) => {
      expect(objectName(one)).toMatch(valid);
      expect(objectName(one).length).toBeLessThanOrEqual(253);
      expect(objectName(one) === objectName(other)).toBe(one === other);
    }),
  );
});
