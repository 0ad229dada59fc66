import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkName, parseCheckId, printCheckId } from '../../src/domain/check-id.ts';

it('reads back every id that it prints', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('application-set', 'summary', 'blast-radius', 'configuration'),
      fc.string({ unit: 'grapheme' }),
      fc.option(fc.string({ unit: 'grapheme' }), { nil: null }),
      (kind, instance, applicationSet) => {
        const id = { kind, instance, applicationSet };
        expect(parseCheckId(printCheckId(id))).toEqual(id);
      },
    ),
  );
});

it('reads nothing out of what it did not print', () => {
  fc.assert(fc.property(fc.string(), (text) => parseCheckId(text) === null));
  expect(parseCheckId('stepback:v1 nothing argocd')).toBeNull();
  expect(parseCheckId('stepback:v1 summary %E0%A4%A')).toBeNull();
  expect(parseCheckId('stepback:v1 summary a b c')).toBeNull();
});

it('can be read by people', () => {
  const id = { kind: 'application-set', instance: 'argocd', applicationSet: 'argocd/payments' } as const;
  expect(printCheckId(id)).toBe('stepback:v1 application-set argocd argocd/payments');
});

it('names another Argo CD in the name, and the one without a name not', () => {
  expect(checkName('argocd', 'argocd/payments')).toBe('stepback / argocd/payments');
  expect(checkName('east', 'argocd/payments')).toBe('stepback / east: argocd/payments');
});
