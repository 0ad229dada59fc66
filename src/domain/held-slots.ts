/**
 * Who keeps a stage from going on. What is Pending or Progressing holds one of the slots that `maxUpdate` gives, whatever is
 * wrong with it, and the controller waits for it without an end; the others of the stage stay where they are.
 */
import type { Stage, StageApplication } from './rollout.ts';
import type { Verdict } from './verdict.ts';

/** What does not end by itself. */
const withoutEnd: readonly Verdict[] = ['failed', 'blocked', 'stuck', 'sick', 'stalled', 'paused'];

/** The others of the stage of this one that hold every slot and do not come to an end; empty while a slot can come free. */
export function holdingEverySlot(stage: Stage, one: StageApplication): readonly StageApplication[] {
  const holding = stage.applications.filter((other) => other !== one && holdsSlot(other) && hasNoEnd(other));
  return holding.length >= stage.maxUpdate ? holding : [];
}

function holdsSlot({ status }: StageApplication): boolean {
  return status?.status === 'Pending' || status?.status === 'Progressing';
}

/** Argo CD does not know of what we leave out, nor that too few fail to count. */
function hasNoEnd({ assessment, leftOut }: StageApplication): boolean {
  const { verdict, reasons } = assessment;
  return (
    withoutEnd.includes(verdict) ||
    reasons.some(({ code }) => code === leftOut?.kind || code === 'below-threshold')
  );
}
