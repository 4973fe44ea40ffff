import type { Readable } from 'node:stream';
import type { Extraction } from '../../../../contract/crawler/config';
import type { z } from 'zod';
import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import type { RunRecord } from './queries';

export { compileUrlPattern, createScope } from '../engine/scope';
export { normalizeUrl } from '../engine/normalize';
type Rule = z.infer<typeof Extraction>;
export const extractionProblem = (_rule: Rule): string | null => null;
export const fetchPage = (_ctx: Context, _url: string): Promise<{ readonly url: string; readonly html: string } | null> => fail('unavailable');
export const extractRows = (_page: { readonly url: string; readonly html: string }, _rule: Rule): readonly Readonly<Record<string, string | number | boolean | string[] | null>>[] => fail('unavailable');
export const writeWarc = (_ctx: Context, _run: RunRecord): Readable => fail('unavailable');
