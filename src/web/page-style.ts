/** How the page looks: on a phone as on a desk, in the dark as in the light, in the fonts of the reader's machine. */
import { createHash } from 'node:crypto';

export const style = `
:root { color-scheme: light dark; --ground: #fff; --text: #1b1f24; --dim: #59636e; --line: #d5dae0; --link: #0a58ca;
  --bad: #b3261e; --warn: #8a5a00; --busy: #0a58ca; --good: #1a6e36; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #14171b; --text: #e6e9ed; --dim: #9aa4af; --line: #323940; --link: #7ab7ff;
    --bad: #ff8a80; --warn: #f0b957; --busy: #7ab7ff; --good: #6fd08c; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 64rem; background: var(--ground); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.2rem; margin-top: 2rem; } h3 { font-size: 1.1rem; margin: 1.25rem 0 .25rem; }
h4 { font-size: 1rem; margin: .75rem 0 .25rem; }
a { color: var(--link); } code { font-size: .9em; } p { margin: .25rem 0; }
ul, ol { margin: .25rem 0; padding-left: 1.25rem; }
.dim { color: var(--dim); font-weight: normal; } .bad { color: var(--bad); } .warn { color: var(--warn); }
.busy { color: var(--busy); } .good { color: var(--good); }
.badge { border: 1px solid; border-radius: 1rem; padding: 0 .6rem; font-size: .85rem; font-weight: 600; white-space: nowrap; }
.set, .incidents > li { border: 1px solid var(--line); border-radius: .5rem; padding: .5rem .75rem; margin: .5rem 0; }
.set summary { cursor: pointer; min-height: 1.75rem; }
.stages, .incidents { list-style: none; padding: 0; }
.applications { list-style: none; padding: 0; display: grid; gap: .1rem .75rem;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr)); }
.applications li { border-left: 3px solid; padding-left: .5rem; }
.applications li > * { color: var(--text); } .applications li { color: var(--dim); }
.applications li.bad { border-color: var(--bad); } .applications li.warn { border-color: var(--warn); }
.applications li.busy { border-color: var(--busy); } .applications li.good { border-color: var(--good); }
.applications li > a { color: var(--link); } .applications li > .dim { color: var(--dim); }
`;

/** The page loads nothing, runs nothing, and may stand in nobody's frame; this one style is all it has. */
export const contentSecurityPolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
