/** Raw answers of a real API server (v1.36.1), as recorded with curl. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface RecordedAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** The answer in test/recordings/api-server/`name`.http. */
export function recordedAnswer(name: string): RecordedAnswer {
  const path = fileURLToPath(new URL(`../../recordings/api-server/${name}.http`, import.meta.url));
  const recorded = readFileSync(path, 'utf8');
  const end = recorded.indexOf('\r\n\r\n');
  const [first = '', ...rest] = recorded.slice(0, end).split('\r\n');
  const headers = rest
    .map((line) => line.split(': ', 2))
    .filter(([name]) => name !== 'content-length')
    .map(([name = '', value = '']) => [name, value]);
  return {
    status: Number(first.split(' ')[1]),
    headers: Object.fromEntries(headers),
    body: recorded.slice(end + 4),
  };
}
