/** How the pages look: on a phone as on a desk, in the dark as in the light, in the fonts of the reader's machine. */

export const style = `
:root { color-scheme: light dark; --ground: #f6f8fa; --sheet: #fff; --text: #1f2328; --dim: #59636e; --line: #d1d9e0;
  --link: #0969da; --bad: #c2281d; --warn: #8a5a00; --busy: #0969da; --good: #1a7f37; --done: #8250df;
  --bad-ground: #fff0ee; --good-ground: #e9f8ed; --busy-ground: #eaf3ff; --warn-ground: #fff8e5; --done-ground: #f5efff;
  --code: #eff1f3; --c0: #57606a; --c1: #0550ae; --c2: #a4400f; --c3: #116329; --c4: #6639ba; --c5: #99286e; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #0d1117; --sheet: #151b23; --text: #e6edf3; --dim: #9198a1; --line: #3d444d; --link: #6cb0ff;
    --bad: #ff8a80; --warn: #e3b341; --busy: #6cb0ff; --good: #4cc36a; --done: #bc9cff; --bad-ground: #2f1716;
    --good-ground: #12261a; --busy-ground: #11223a; --warn-ground: #2a220d; --done-ground: #211a35; --code: #262c36;
    --c0: #a5b0bb; --c1: #79c0ff; --c2: #ffa657; --c3: #7ee787; --c4: #d2a8ff; --c5: #ff9bce; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif;
  overflow-wrap: anywhere; }
main, header.top { max-width: 80rem; margin: 0 auto; padding: 0 1rem; }
header.top { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: baseline; padding-top: 1rem; }
header.top h1 { font-size: 1.25rem; margin: 0; }
header.top a { text-decoration: none; }
h2 { font-size: 1.1rem; margin: 1.5rem 0 .5rem; } h3 { font-size: 1rem; margin: .75rem 0 .25rem; }
p { margin: .25rem 0; } a { color: var(--link); } code, pre { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, monospace; }
code { font-size: .85em; background: var(--code); border-radius: .3rem; padding: .1em .35em; }
pre { font-size: .8rem; line-height: 1.45; overflow-x: auto; background: var(--code); padding: .75rem; border-radius: .4rem; }
pre code { background: none; padding: 0; font-size: inherit; }
time, .clock { font-variant-numeric: tabular-nums; }
.dim { color: var(--dim); } .bad { color: var(--bad); } .warn { color: var(--warn); } .busy { color: var(--busy); }
.good { color: var(--good); } .done { color: var(--done); }
.sheet { background: var(--sheet); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; margin: .5rem 0; }
.sheet > h3:first-child { margin-top: 0; }
.badge { display: inline-block; border: 1px solid; border-radius: 1rem; padding: 0 .6rem; font-size: .8rem; font-weight: 600;
  white-space: nowrap; }
.banner, .banner.busy { border-left: .4rem solid var(--busy); background: var(--busy-ground); font-size: 1.05rem; color: inherit; }
.banner.bad { border-color: var(--bad); background: var(--bad-ground); color: inherit; }
.banner.good { border-color: var(--good); background: var(--good-ground); color: inherit; }
.banner.warn { border-color: var(--warn); background: var(--warn-ground); color: inherit; }
.banner strong { font-size: 1.2rem; }
form { display: inline; }
button { font: inherit; font-weight: 600; padding: .45rem 1rem; margin: .5rem .5rem .25rem 0; border-radius: .4rem; cursor: pointer;
  border: 1px solid var(--line); background: var(--sheet); color: var(--text); min-height: 2.75rem; }
button.first { background: #1a7f37; border-color: #1a7f37; color: #fff; }
button:disabled { opacity: .5; cursor: default; }
#answer { min-height: .5rem; }
.stages { list-style: none; margin: 0; padding: 0; }
.stages > li { border-top: 1px solid var(--line); padding: .5rem 0; display: grid; gap: .4rem 1rem; grid-template-columns: 100%; }
.stages > li:first-child { border-top: 0; }
.stage { display: flex; flex-wrap: wrap; gap: 0 .6rem; align-items: baseline; align-content: flex-start; }
.cells { list-style: none; margin: 0; padding: 0; display: grid; gap: .4rem;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 9.5rem), 1fr)); }
.cell { border: 1px solid var(--line); border-left: .3rem solid var(--good); border-radius: .35rem; padding: .2rem .5rem; font-size: .85rem;
  line-height: 1.35; }
.cell.bad { border-left-color: var(--bad); background: var(--bad-ground); color: inherit; }
.cell.warn { border-left-color: var(--warn); background: var(--warn-ground); color: inherit; }
.cell.busy { border-left-color: var(--busy); background: var(--busy-ground); color: inherit; }
.cell.good { color: inherit; } .cell.dim { border-left-color: var(--line); color: inherit; }
.cell b { display: block; }
.commit { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, monospace; font-size: .8rem; text-decoration: none; color: var(--c0);
  white-space: nowrap; }
.commit b { display: inline-block; min-width: 1.2em; text-align: center; border: 1px solid; border-radius: .25rem; margin-right: .25rem;
  line-height: 1.25; }
.c0 { color: var(--c0); } .c1 { color: var(--c1); } .c2 { color: var(--c2); } .c3 { color: var(--c3); } .c4 { color: var(--c4); }
.c5 { color: var(--c5); }
.legend { list-style: none; padding: 0; margin: .5rem 0 0; display: flex; flex-wrap: wrap; gap: .1rem 1.25rem; font-size: .85rem; }
details > summary { cursor: pointer; }
.conversation > summary { min-height: 2rem; }
.said { border: 1px solid var(--line); border-radius: .4rem; margin: .75rem 0; background: var(--sheet); }
.said > header { background: var(--ground); border-bottom: 1px solid var(--line); padding: .3rem .75rem; font-size: .85rem; color: var(--dim);
  border-radius: .4rem .4rem 0 0; }
.markdown { padding: .5rem .9rem .75rem; }
.markdown p, .markdown ul, .markdown details { margin: .6rem 0; } .markdown ul { padding-left: 1.5rem; }
.markdown .mention { font-weight: 600; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; overflow-wrap: break-word; } th, td { border: 1px solid var(--line); padding: .3rem .7rem; text-align: left;
  vertical-align: top; }
.markdown td:nth-child(n+2) { min-width: 5.5rem; }
.journal td:last-child { text-align: right; font-variant-numeric: tabular-nums; }
.columns { display: grid; gap: 0 1.5rem; grid-template-columns: 100%; }
.timeline { list-style: none; font-size: .9rem; }
.timeline li { display: grid; grid-template-columns: 4.6rem 1fr; padding: .15rem 0; }
.graph { display: flex; font-size: .85rem; } .graph svg { flex: none; }
.graph ol { list-style: none; margin: 0; padding: 0; min-width: 0; flex: 1; }
.graph li { height: 28px; line-height: 28px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.graph circle, .graph path { stroke: currentColor; } .graph circle { fill: currentColor; } .graph path { fill: none; stroke-width: 2; }
.ref { border: 1px solid var(--line); border-radius: .3rem; padding: 0 .35rem; font-size: .75rem; color: var(--dim); }
.added { color: var(--good); } .removed { color: var(--bad); }
.page-title { font-size: 1.5rem; font-weight: 600; line-height: 1.3; margin: .75rem 0 .25rem; }
footer { max-width: 80rem; margin: 2rem auto; padding: 0 1rem; font-size: .85rem; color: var(--dim); }
@media (min-width: 60rem) {
  .markdown td:nth-child(n+2) { min-width: 7rem; }
  .stages > li { grid-template-columns: 15rem minmax(0, 1fr); }
  .columns { grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); }
}
@media (prefers-reduced-motion: no-preference) { .cell { transition: background .3s, border-color .3s; } }
`;
