/**
 * The little that runs in the browser: sections that changed are put in place as they come, what the reader has opened stays
 * open, and buttons act without leaving the page. Without it every page can be read and every button works all the same.
 */

export const client = `
const answer = () => document.getElementById('answer');
const tell = (text) => { if (answer()) answer().textContent = text; };

function replace(id, markup) {
  const section = document.getElementById(id);
  if (section === null) return;
  const opened = new Map([...section.querySelectorAll('details[data-key]')].map((one) => [one.dataset.key, one.open]));
  const inner = [...section.querySelectorAll('.markdown details')].map((one) => one.open);
  section.innerHTML = markup;
  for (const one of section.querySelectorAll('details[data-key]')) {
    if (opened.has(one.dataset.key)) one.open = opened.get(one.dataset.key);
  }
  section.querySelectorAll('.markdown details').forEach((one, index) => { if (inner[index]) one.open = true; });
}

const events = new EventSource('/events?of=' + encodeURIComponent(location.pathname));
events.addEventListener('sections', (event) => {
  for (const [id, markup] of Object.entries(JSON.parse(event.data))) replace(id, markup);
});
events.addEventListener('error', () => tell('The sandbox does not answer; it may have ended.'));
events.addEventListener('open', () => { if (answer()?.textContent.startsWith('The sandbox does not')) tell(''); });

document.addEventListener('submit', async (event) => {
  const form = event.target;
  if (form.getAttribute('action') !== '/do') return;
  event.preventDefault();
  for (const button of form.querySelectorAll('button')) button.disabled = true;
  const data = new FormData(form);
  const body = JSON.stringify({ verb: data.get('verb'), words: data.getAll('word') });
  try {
    const response = await fetch('/do', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    tell((await response.json()).text);
  } catch {
    tell('The sandbox does not answer; it may have ended.');
  }
});
`;
