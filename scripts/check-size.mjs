// Checks the sizes of what a browser must fetch before it can show anything against their budgets. kB = 1000 bytes, gzip -9.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

/** Budgets of scripts in kB, gzipped. */
export const budgets = { index: 174.3, sign: 90, open: 80, form: 91 };

const gz = (file) => gzipSync(readFileSync(file), { level: 9 }).length / 1000;

/** Returns one row per script: `{ page, file, kB }`, for the scripts that each page's HTML references. */
export function measure(dir = 'dist/console') {
  return Object.keys(budgets).flatMap((page) => {
    const html = readFileSync(join(dir, `${page}.html`), 'utf8');
    const files = [...html.matchAll(/<script[^>]*src="\/([^"]+)"/g)].map((match) => match[1]);
    // The first script loads the messages of the frame before anything is drawn; the larger language counts.
    const messages = page === 'index' ? largest(dir, JSON.parse(readFileSync(join(dir, 'build.json'), 'utf8')).messages) : [];
    return [...files, ...messages].map((file) => ({ page, file, kB: gz(join(dir, file)) }));
  });
}

const largest = (dir, files) => [...files].sort((a, b) => gz(join(dir, b)) - gz(join(dir, a))).slice(0, 1);

export function overBudget(rows) {
  return Object.entries(budgets).flatMap(([page, budget]) => {
    const kB = rows.filter((row) => row.page === page).reduce((sum, row) => sum + row.kB, 0);
    return kB > budget ? [`${page}: ${kB.toFixed(1)} kB of ${String(budget)}`] : [];
  });
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const rows = measure(process.argv[2]);
  for (const page of Object.keys(budgets)) {
    console.log(`${page} (budget ${String(budgets[page])} kB)`);
    const own = rows.filter((row) => row.page === page);
    for (const { file, kB } of own) console.log(`  ${kB.toFixed(1).padStart(7)}  ${file}`);
    console.log(
      `  ${own
        .reduce((sum, row) => sum + row.kB, 0)
        .toFixed(1)
        .padStart(7)}  together`,
    );
  }
  const over = overBudget(rows);
  if (over.length > 0) {
    console.error(`Over budget: ${over.join(', ')}`);
    process.exit(1);
  }
}
