/**
 * Templates as people may write them: checked when they are read, so that filling one cannot fail. `domain/template.ts`
 * fills them.
 */
import { fillTemplate, partsOf } from '../domain/template.ts';
import { branchProblem } from './git-reference.ts';

export type TemplateKind = 'branch' | 'title' | 'message';

/** What may stand in braces, with what it becomes. */
const told = {
  subject: "the first line of the change that is taken back, or its pull request's title",
  failure: 'what fails and where: `argocd/payments is Degraded in stage 2 (staging)`',
  applicationSet: '`namespace/name` of the ApplicationSet that failed first',
  stage: 'the name of the stage that failed first',
  commit: 'the first 12 digits of the oldest commit that is taken back',
  instance: 'the name of the Argo CD',
};

export const placeholders = {
  branch: { instance: told.instance, commit: told.commit },
  title: told,
  message: { ...told, body: 'what Stepback writes by itself: what failed, what is taken back, last good' },
} as const satisfies Readonly<Record<TemplateKind, Readonly<Record<string, string>>>>;

/** Characters of a template; filled in, a branch stays below git's and GitHub's 244. */
const lengthMax: Readonly<Record<TemplateKind, number>> = { branch: 100, title: 200, message: 2_000 };

/** Without these two in its name, a branch would not be one claim for one change of one Argo CD. */
const neededInBranch = ['instance', 'commit'] as const;

/** Lines by which Stepback finds its own commits again; it writes them itself, below the message. */
const ownTrailer = /^(?:Stepback-[A-Za-z-]+|Reverts|Signed-off-by)[ \t]*:/im;

export interface TemplateProblem {
  problem: string;
  mend: string;
  /** The word that is no placeholder, for "did you mean". */
  unknown?: string;
}

/** All that is wrong with a template; nothing when it can be filled. */
export function templateProblems(kind: TemplateKind, template: string): readonly TemplateProblem[] {
  if (template.trim() === '') return [{ problem: 'The template is empty.', mend: 'Leave the key out.' }];
  if (template.length > lengthMax[kind]) {
    const problem = `The template has ${template.length} characters.`;
    return [{ problem, mend: `Write at most ${lengthMax[kind]}.` }];
  }
  const names = Object.keys(placeholders[kind]);
  const problems: TemplateProblem[] = [];
  for (const part of partsOf(template)) {
    if (part.kind === 'stray') {
      const mend = 'Write "{{" or "}}" for a brace that is one.';
      problems.push({ problem: `A "${part.text}" stands alone.`, mend });
    } else if (part.kind === 'placeholder' && !names.includes(part.text)) {
      problems.push({
        problem: `"{${part.text.slice(0, 40)}}" is no placeholder here.`,
        mend: `Write one of ${names.map((name) => `{${name}}`).join(', ')}.`,
        unknown: part.text,
      });
    }
  }
  return problems.length > 0 ? problems : ownProblems(kind, template);
}

function ownProblems(kind: TemplateKind, template: string): readonly TemplateProblem[] {
  if (kind === 'branch') return branchProblems(template);
  if (kind === 'title') {
    const isLine = !template.includes('\n');
    return isLine
      ? []
      : [{ problem: 'A title has one line.', mend: 'Write it on one line, without "|" or ">".' }];
  }
  const trailer = ownTrailer.exec(template)?.[0];
  if (trailer !== undefined) {
    const mend =
      'Leave it out; Stepback adds its own lines below the message, and signOff the one for the DCO.';
    return [{ problem: `The line "${trailer}" is one that Stepback writes itself.`, mend }];
  }
  const isHeaded = template.startsWith('\n') || template.startsWith(' ');
  return isHeaded ? [{ problem: 'The first line is the subject.', mend: 'Begin with a word.' }] : [];
}

function branchProblems(template: string): readonly TemplateProblem[] {
  const missing = neededInBranch.filter((name) => !template.includes(`{${name}}`));
  if (missing.length > 0) {
    const names = missing.map((name) => `{${name}}`).join(' and ');
    const problem = `${names} must be in the name of the branch, because it is the claim for one change of one Argo CD.`;
    return [{ problem, mend: 'Write for example "stepback/{instance}/revert-{commit}".' }];
  }
  const problem = branchProblem(fillTemplate(template, { instance: 'argocd', commit: '0123456789ab' }));
  return problem === null
    ? []
    : [
        {
          problem: `${problem[0]?.toUpperCase()}${problem.slice(1)}.`,
          mend: 'Use letters, digits, dashes, dots and slashes.',
        },
      ];
}
