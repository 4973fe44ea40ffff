import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { settingsPage } from '../server/help';

/** Writes docs/settings.md from the table of settings; with --check it only reports whether the page is current. */
const file = new URL('../docs/settings.md', import.meta.url);
const page = settingsPage();
if (!process.argv.includes('--check')) writeFileSync(file, page);
else if (!existsSync(file) || readFileSync(file, 'utf8') !== page) {
  console.error('docs/settings.md is not current: run npm run docs:settings');
  process.exitCode = 1;
}
