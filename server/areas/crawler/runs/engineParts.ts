import type { z } from 'zod';
import type { Extraction } from '../../../../contract/crawler/config';
import type { Context } from '../../../context';
import { fetchOnce, parsePage } from '../engine';
import { createExtractor, isSelector } from '../engine/extract';
import type { ExtractedValue } from '../engine/extract';
import { compileUrlPattern } from '../engine/scope';

type Rule = z.output<typeof Extraction>;
export type FetchedPage = { readonly url: string; readonly html: string; readonly headers: Readonly<Record<string, string>> };

const mostRedirects = 5;

/** The field of an extraction that the engine could not apply; null: none. */
export function extractionProblem({ pattern, rows, columns }: Rule): string | null {
  if (compileUrlPattern(pattern) === null) return 'pattern';
  if (rows !== '' && !isSelector(rows)) return 'rows';
  const at = columns.findIndex(({ from, expression }) => (from === 'css' && expression !== '' && !isSelector(expression)) || (from === 'regex' && !isPattern(expression)));
  return at < 0 ? null : `columns.${at}.expression`;
}
const isPattern = (expression: string): boolean => expression.includes('(*)') || compileUrlPattern(`/(?:${expression})/`) !== null;

/** Reads one page, following redirects; null if it does not answer with a document. */
export async function fetchPage(ctx: Context, url: string): Promise<FetchedPage | null> {
  let address = url;
  for (let hop = 0; hop <= mostRedirects; hop++) {
    const fetched = await fetchOnce(ctx, address);
    if (fetched.location !== null) {
      address = fetched.location;
      continue;
    }
    if (fetched.error !== null || fetched.status < 200 || fetched.status >= 300) return null;
    const { html } = parsePage({ url: address, headers: fetched.headers, body: fetched.body });
    return { url: address, html, headers: fetched.headers };
  }
  return null;
}

/** The rows of a page, and the required columns without which rows were left out. */
export function extractRows(page: FetchedPage, rule: Rule): { readonly rows: readonly Readonly<Record<string, ExtractedValue>>[]; readonly missing: readonly string[] } {
  const read = (columns: Rule['columns']) => createExtractor([{ ...rule, columns, pattern: '*' }])(page).map(({ values }) => values);
  const rows = read(rule.columns);
  const required = rule.columns.filter((column) => column.required);
  const all = required.length === 0 ? rows : read(rule.columns.map((column) => ({ ...column, required: false })));
  const isEmpty = (value: ExtractedValue | undefined): boolean => value === null || value === undefined || (Array.isArray(value) && value.length === 0);
  return { rows, missing: required.map(({ name }) => name).filter((name) => all.some((row) => isEmpty(row[name]))) };
}
