import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** Replaces a section of bench/RESULTS.md (Markdown), delimited by comments with its name; a new section is appended. */
export async function writeSection(name: string, content: string): Promise<void> {
  const file = path.join(folder, 'RESULTS.md');
  const text = await readFile(file, 'utf8').catch(() => '# Results\n');
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const written = `${begin}\n${content}\n${end}`;
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  await writeFile(file, from === -1 || to === -1 ? `${text.trimEnd()}\n\n${written}\n` : `${text.slice(0, from)}${written}${text.slice(to + end.length)}`);
}

/** Writes bench/out/<name>.json: the measured figures. */
export async function writeFigures(name: string, figures: object): Promise<void> {
  const out = path.join(folder, 'out');
  await mkdir(out, { recursive: true });
  await writeFile(path.join(out, `${name}.json`), `${JSON.stringify(figures, null, 2)}\n`);
}

export const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
