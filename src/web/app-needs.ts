/**
 * What Stepback needs of GitHub: the permissions that its calls take. `app.yml` asks for the same; an App that was made by
 * hand, or before an update, may have less, and that is found out at the start and not in an incident.
 */

export type Access = 'read' | 'write';

/** By the names of `app.yml`, which says what each is for. */
export const neededPermissions: Readonly<Record<string, Access>> = {
  checks: 'write',
  contents: 'write',
  issues: 'write',
  members: 'read',
  metadata: 'read',
  pull_requests: 'write',
};

const titles: Readonly<Record<string, string>> = {
  checks: 'Checks',
  contents: 'Contents',
  issues: 'Issues',
  members: 'Members of the organisation',
  metadata: 'Metadata',
  pull_requests: 'Pull requests',
};

/** One sentence for all that the App lacks, none when it has enough. `granted` is what GitHub says of the App. */
export function missingPermissions(granted: Readonly<Record<string, unknown>>): readonly string[] {
  const missing = Object.entries(neededPermissions)
    .filter(([name, access]) => !isEnough(granted[name], access))
    .map(([name, access]) => `${titles[name] ?? name} (${access === 'write' ? 'read and write' : 'read'})`);
  if (missing.length === 0) return [];
  return [
    `The GitHub App lacks permissions, so Stepback could not do its work: ${missing.join(', ')}. Add them on the settings page of the App, and let an owner of the organisation accept them.`,
  ];
}

function isEnough(granted: unknown, needed: Access): boolean {
  return granted === 'write' || granted === 'admin' || granted === needed;
}
