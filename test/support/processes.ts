import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const commandLine = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    // It ended meanwhile.
    return '';
  }
};
/** Command lines of all processes. Not every Linux has `ps`. */
const commandLines = (): string[] =>
  process.platform === 'linux'
    ? readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .map(commandLine)
    : execFileSync('ps', ['-A', '-w', '-w', '-o', 'args'], { encoding: 'utf8' }).split('\n');
/** Command lines of all processes that contain a text. */
export const processesWith = (text: string): string[] => commandLines().filter((line) => line.includes(text));
