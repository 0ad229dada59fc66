/**
 * What the content room needs of a forge: reading, and nothing else. The live product hands in GitHub; a
 * replay hands in local repositories. Both answer the same questions, so both reach the same verdict.
 */
import type { Forge } from '../ports.ts';

export type ContentSource = Pick<
  Forge,
  'repositoryOf' | 'commit' | 'range' | 'readTree' | 'readBlob' | 'pullRequestsOf'
>;
