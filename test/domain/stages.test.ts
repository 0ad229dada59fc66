import { describe, expect, it } from 'vitest';
import type { ApplicationSet, MatchExpression, Step } from '../../src/domain/objects.ts';
import {
  effectiveMaxUpdate,
  isReadableMaxUpdate,
  matchingStep,
  maxUpdateInWords,
  selectorInWords,
  stageName,
  stepOf,
} from '../../src/domain/stages.ts';
import { applicationOf, applicationSetOf, rawApplication, rawApplicationSet } from './world.ts';

const expression = (key: string, operator: string, ...values: readonly string[]): MatchExpression => ({
  key,
  operator,
  values,
});
const step = (...expressions: readonly MatchExpression[]): Step => ({ expressions, maxUpdate: null });

describe('the step of an Application', () => {
  const one = (...expressions: readonly MatchExpression[]) => [step(...expressions)];

  it.for([
    ['In finds one of its values', one(expression('env', 'In', 'dev', 'test')), { env: 'test' }, 1],
    ['In does not find another value', one(expression('env', 'In', 'dev')), { env: 'prod' }, -1],
    ['In never finds a label that is missing', one(expression('env', 'In', 'dev')), {}, -1],
    ['In without values finds nothing', one(expression('env', 'In')), { env: 'dev' }, -1],
    ['NotIn leaves out its values', one(expression('env', 'NotIn', 'dev')), { env: 'dev' }, -1],
    ['NotIn finds another value', one(expression('env', 'NotIn', 'dev')), { env: 'prod' }, 1],
    ['NotIn finds a label that is missing', one(expression('env', 'NotIn', 'dev')), {}, 1],
    [
      'an unknown operator leaves out who has the label',
      one(expression('env', 'Exists')),
      { env: 'dev' },
      -1,
    ],
    ['an unknown operator selects who lacks it', one(expression('env', 'Exists')), {}, 1],
    ['a missing operator does so as well', one(expression('env', '', 'dev')), { env: 'dev' }, -1],
    ['a step without expressions selects everything', one(), { any: 'thing' }, 1],
    [
      'all expressions must hold',
      one(expression('env', 'In', 'prod'), expression('tier', 'NotIn', 'edge')),
      { env: 'prod', tier: 'edge' },
      -1,
    ],
    [
      'the first step that matches is the one',
      [step(expression('env', 'In', 'prod')), step(expression('env', 'NotIn', 'dev'))],
      { env: 'prod' },
      1,
    ],
    ['a value with a dot is no pattern', one(expression('v', 'In', 'a.c')), { v: 'abc' }, -1],
  ] as const)('%s', ([, steps, labels, right]) => {
    expect(matchingStep(steps, labels)).toBe(right);
  });

  it('is what the controller wrote, before any label', () => {
    const application = applicationOf(rawApplication('dev', { labels: { env: 'prod' } }));
    const written = (text: string) =>
      applicationSetOf(rawApplicationSet({ dev: ['Healthy', undefined, text] }));
    const stepIn = (set: ApplicationSet) => stepOf(set, set.applicationStatus[0] ?? null, application);
    expect(stepIn(written('1'))).toBe(1);
    expect(stepIn(written('-1'))).toBe(-1);
    expect(stepIn(written('0'))).toBe(-1);
    // Nothing written, or nothing that is a number: the labels are the best guess.
    expect(stepIn(written(''))).toBe(3);
    expect(stepIn(written('first'))).toBe(3);
    expect(stepIn(written('1.5'))).toBe(3);
    expect(stepIn(applicationSetOf(rawApplicationSet(null)))).toBe(3);
  });
});

describe('how many may move at once', () => {
  it.for([
    [null, 7, 7, 'all at once', true],
    ['100%', 7, 7, 'all at once', true],
    ['50%', 7, 3, '50 % at a time', true],
    ['10%', 7, 1, '10 % at a time', true],
    ['25%', 3, 1, '25 % at a time', true],
    ['0%', 7, 0, 'only by hand', true],
    ['00%', 7, 1, '0 % at a time', true],
    ['150%', 4, 6, '150 % at a time', true],
    [0, 7, 0, 'only by hand', true],
    [1, 7, 1, 'one at a time', true],
    [5, 3, 5, '5 at a time', true],
    [-1, 3, 0, 'only by hand', false],
    [1.5, 3, 1.5, '1.5 at a time', false],
    ['5', 7, 1, 'one at a time', false],
    ['0', 7, 1, 'one at a time', false],
    ['', 7, 1, 'one at a time', false],
    ['half', 7, 1, 'one at a time', false],
    [' 50% ', 7, 1, 'one at a time', false],
    ['50.5%', 7, 1, 'one at a time', false],
    ['-50%', 7, 1, 'one at a time', false],
    ['99999999999999999999%', 7, 1, 'one at a time', false],
  ] as const)('%o of %i is %i, which is %s', ([maxUpdate, applications, limit, words, isReadable]) => {
    expect(effectiveMaxUpdate(maxUpdate, applications)).toBe(limit);
    expect(maxUpdateInWords(maxUpdate)).toBe(words);
    expect(isReadableMaxUpdate(maxUpdate)).toBe(isReadable);
  });
});

describe('the words for a step', () => {
  it('are the values it selects, or its number', () => {
    expect(stageName(step(expression('env', 'In', 'staging')), 2)).toBe('staging');
    expect(stageName(step(expression('env', 'In', 'eu', 'us')), 2)).toBe('eu and us');
    expect(stageName(step(expression('tier', 'NotIn', 'edge'), expression('env', 'In', 'prod')), 3)).toBe(
      'prod',
    );
    expect(stageName(step(expression('env', 'NotIn', 'dev')), 2)).toBe('step 2');
    expect(stageName(step(), 4)).toBe('step 4');
    expect(stageName(undefined, 9)).toBe('step 9');
  });

  it('name every expression, also one that the controller does not understand', () => {
    expect(selectorInWords(step())).toBe('every Application');
    expect(
      selectorInWords(
        step(
          expression('env', 'In', 'eu', 'us'),
          expression('tier', 'NotIn', 'edge'),
          expression('x', 'Exists'),
        ),
      ),
    ).toBe('env in eu, us and tier not in edge and x "Exists" (unknown operator)');
  });
});
