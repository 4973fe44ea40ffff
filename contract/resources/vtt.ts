/** Captions in WebVTT: read, checked and written here, for the console and the server. Texts of cues may contain the tags of WebVTT; browsers show nothing else. */

/** Times in ms. `id` and `settings` (position on the picture) are '' if absent. */
export type Cue = { readonly id: string; readonly start: number; readonly end: number; readonly settings: string; readonly text: string };

/**
 * `header`: the file does not begin with WEBVTT; `time`: a line with `-->` has no two times; `order`: the end is not after the start; `text`: a cue without text;
 * `stray`: text that belongs to no cue; `many`: too many cues.
 */
export type VttProblem = { readonly line: number; readonly code: 'header' | 'time' | 'order' | 'text' | 'stray' | 'many' };
export type ParsedVtt = { readonly cues: readonly Cue[]; readonly problems: readonly VttProblem[] };

export const vttLimits = { cues: 5000, characters: 400_000, tracks: 30, label: 80 } as const;

const time = String.raw`(?:(\d{1,4}):)?([0-5]?\d):([0-5]?\d)[.,](\d{1,3})`;
const timing = new RegExp(String.raw`^\s*${time}\s*-->\s*${time}(?:\s+(.*))?$`);
const onlyTime = new RegExp(`^${time}$`);

const msOf = ([hours = '0', minutes = '0', seconds = '0', fraction = '0']: readonly (string | undefined)[]): number =>
  ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(fraction.padEnd(3, '0'));

/** A time such as `1:02.5` or `00:01:02,500` in ms; null if it is none. */
export function readTime(text: string): number | null {
  const found = onlyTime.exec(/[.,]/.test(text) ? text.trim() : `${text.trim()}.0`);
  return found ? msOf(found.slice(1, 5)) : null;
}

/** `00:01:02.500`. */
export function timeText(ms: number): string {
  const whole = Math.max(0, Math.round(ms));
  const two = (number: number): string => String(number).padStart(2, '0');
  const seconds = Math.floor(whole / 1000);
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}.${String(whole % 1000).padStart(3, '0')}`;
}

/** Lines of a block that belongs together; `line` counts from 1. */
type Block = { readonly line: number; readonly lines: readonly string[] };

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let lines: string[] = [];
  const all = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  for (const [at, line] of [...all, ''].entries()) {
    if (line.trim() !== '') lines.push(line);
    else if (lines.length > 0) {
      blocks.push({ line: at + 1 - lines.length, lines });
      lines = [];
    }
  }
  return blocks;
}

/** A cue: an optional id, the line with the times, and the text. */
function cueOf({ line, lines }: Block): Cue | VttProblem {
  const at = lines.findIndex((one) => one.includes('-->'));
  if (at < 0) return { line, code: 'stray' };
  const found = timing.exec(lines[at] ?? '');
  if (!found || at > 1) return { line: line + (at > 1 ? 0 : at), code: at > 1 ? 'stray' : 'time' };
  const start = msOf(found.slice(1, 5));
  const end = msOf(found.slice(5, 9));
  if (end <= start) return { line: line + at, code: 'order' };
  const text = lines
    .slice(at + 1)
    .join('\n')
    .trim();
  if (text === '') return { line: line + at, code: 'text' };
  return { id: at === 1 ? (lines[0] ?? '').trim() : '', start, end, settings: (found[9] ?? '').trim(), text };
}

function collect(blocks: readonly Block[]): ParsedVtt {
  const cues: Cue[] = [];
  const problems: VttProblem[] = [];
  for (const block of blocks) {
    const read = cueOf(block);
    if ('code' in read) problems.push(read);
    else if (cues.length >= vttLimits.cues) return { cues, problems: [...problems, { line: block.line, code: 'many' }] };
    else cues.push(read);
  }
  return { cues: cues.toSorted((a, b) => a.start - b.start), problems };
}

/** Reads WebVTT; cues are sorted by their start. Notes, styles and regions are left out: a page may style captions, a file may not. */
export function parseVtt(text: string): ParsedVtt {
  const [head, ...blocks] = blocksOf(text);
  if (!head || !/^WEBVTT(?:[ \t]|$)/.test(head.lines[0] ?? '')) return { cues: [], problems: [{ line: 1, code: 'header' }] };
  return collect(blocks.filter(({ lines }) => !/^(?:NOTE|STYLE|REGION)(?:\s|$)/.test(lines[0] ?? '')));
}

/** Reads SubRip (.srt), whose cues are numbered. Its fonts and positions are left out; bold, italic and underlined text stays. */
export function parseSrt(text: string): ParsedVtt {
  const { cues, problems } = collect(blocksOf(text));
  return { cues: cues.map((cue) => ({ ...cue, id: '', settings: '', text: cue.text.replaceAll(/<\/?font[^<>]*>|\{\\[^{}]*\}/gi, '') })), problems };
}

/** Reads either format, by its beginning. */
export const parseCaptions = (text: string): ParsedVtt => (/^\uFEFF?WEBVTT/.test(text) ? parseVtt(text) : parseSrt(text));

const oneLine = (text: string): string => text.replaceAll('-->', '→').replaceAll(/\s+/g, ' ').trim();
/** An empty line would end the cue, an arrow would begin another one. */
const cueText = (text: string): string =>
  text
    .replaceAll('-->', '→')
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== '')
    .join('\n')
    .trim();

/** WebVTT with these cues. Reading it again yields the same cues. */
export const formatVtt = (cues: readonly Cue[]): string =>
  `WEBVTT\n${cues
    .map(({ id, start, end, settings, text }) => {
      const head = `${timeText(start)} --> ${timeText(end)}${settings === '' ? '' : ` ${oneLine(settings)}`}`;
      return `\n${id === '' ? '' : `${oneLine(id)}\n`}${head}\n${cueText(text)}\n`;
    })
    .join('')}`;
