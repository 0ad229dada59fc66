import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Marker, parseMarker, printMarker } from '../../src/domain/marker.ts';

const markers: fc.Arbitrary<Marker> = fc.record({
  kind: fc.constantFrom('revert', 'culprit', 'notice', 'reply'),
  instance: fc.string({ unit: 'grapheme', maxLength: 100 }),
  incident: fc.string({ unit: 'grapheme', maxLength: 100 }),
});

it('is found again, whatever it holds and whatever stands around it', () => {
  fc.assert(
    fc.property(markers, fc.string(), fc.string(), (marker, before, after) => {
      expect(parseMarker(`${before}\n${printMarker(marker)}\n${after}`)).toEqual(marker);
    }),
  );
});

it('of a kind that is not known is none', () => {
  const other = printMarker({ kind: 'reply', instance: 'argocd', incident: 'x' });
  expect(parseMarker(other)?.kind).toBe('reply');
  const encoded = btoa(JSON.stringify(['order', 'argocd', 'x']));
  expect(parseMarker(`<!-- stepback:v1 ${encoded} -->`)).toBeNull();
});
