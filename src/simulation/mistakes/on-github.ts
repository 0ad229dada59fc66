/** Mistakes about GitHub: what was made is not found again, and what is found is not asked who made it. */
import type { Forge } from '../../ports.ts';
import type { Mistake } from '../mistake.ts';

/** The branch of a revert gets a name of its own at each try, so nothing is claimed by it. */
export const skipTheClaim: Mistake = {
  name: 'skip-the-claim',
  about: 'The branch of a revert has another name at each try.',
  law: 'one-open-revert',
  seed: 8,
  made({ forge }) {
    const names = new Map<string, string>();
    const named = (branch: string): string => names.get(branch) ?? branch;
    return {
      forge: changed(forge, {
        async createBranch(of, branch, sha) {
          const name = `${branch}-${sha.slice(0, 6)}`;
          names.set(branch, name);
          return forge.createBranch(of, name, sha);
        },
        createPullRequest: (of, wish) => forge.createPullRequest(of, { ...wish, head: named(wish.head) }),
        pullRequestsFrom: (of, branch) => forge.pullRequestsFrom(of, named(branch)),
        moveBranch: (of, branch, expected, sha) => forge.moveBranch(of, named(branch), expected, sha),
      }),
    };
  },
};

/** Its own comments are not known again, so each try writes another one. */
export const forgetTheMarker: Mistake = {
  name: 'forget-the-marker',
  about: 'Its own comments are not known again.',
  law: 'one-comment',
  seed: 330,
  made: ({ forge }) => ({ forge: changed(forge, { comments: async () => [] }) }),
};

/** Its own check runs are not looked for. */
export const forgetTheCheckRun: Mistake = {
  name: 'forget-the-check-run',
  about: 'Its own check runs are not looked for before one is made.',
  law: 'one-check-run',
  seed: 1,
  made: ({ forge }) => ({ forge: changed(forge, { checkRuns: async () => [] }) }),
};

/** A folder that cannot be read to its end makes every commit differ from every other. */
export const compareCommitsById: Mistake = {
  name: 'compare-commits-by-id',
  about:
    'Two commits are the same only when they have one id, so what lies between good and bad is all to blame.',
  law: 'only-what-feeds',
  seed: 8,
  made: ({ forge }) => ({
    forge: changed(forge, {
      async readTree(of, id) {
        const entries = await forge.readTree(of, id);
        const isFolderOfManifests = entries.some((entry) => entry.name === 'config.json');
        return isFolderOfManifests
          ? [...entries, { name: 'kustomization.yaml', mode: '100644', id: unreadable }]
          : entries;
      },
      readBlob: async (of, id) =>
        id === unreadable ? new TextEncoder().encode('resources: [') : forge.readBlob(of, id),
    }),
  }),
};

const unreadable = '0'.repeat(40);

/** The newest commit of the branch is blamed, whatever it changed. */
export const blameTheNewestCommit: Mistake = {
  name: 'blame-the-newest-commit',
  about: 'The newest commit of the branch is blamed, whatever it changed.',
  law: 'only-what-feeds',
  seed: 8,
  made: ({ forge }) => ({
    forge: changed(forge, {
      async range(of, base, head) {
        const [branch, range, bad] = [
          await forge.branchHead(of, 'main'),
          await forge.range(of, base, head),
          await forge.commit(of, head),
        ];
        if (range === null || branch === null || bad === null) return range;
        // It is put where everything came in; what came after it changes nothing.
        const blamed = { ...branch, parents: [base] };
        const rest = branch.sha === head ? [] : [{ ...bad, parents: [branch.sha] }];
        return { ...range, commits: [blamed, ...rest] };
      },
    }),
  }),
};

/** Grace is for the patient. */
export const openWithoutGrace: Mistake = {
  name: 'open-without-grace',
  about: 'A failure is one at the first sight of it.',
  law: 'only-what-fails',
  seed: 8,
  made: () => ({ limits: { graceMs: 0 } }),
};

/** The forge with some of its methods changed; the others stay those of the port. */
export function changed(forge: Forge, methods: Partial<Forge>): Forge {
  return new Proxy(forge, {
    get: (target, name) => Reflect.get(methods, name) ?? Reflect.get(target, name, target),
  });
}
