import type { ExchangeFormat } from '../../../../../contract/languages/translationTerms';
import { csv } from './csv';
import type { Format } from './format';
import { json } from './json';
import { po } from './po';
import { xliff } from './xliff';

export const formats: Readonly<Record<ExchangeFormat, Format>> = { json, csv, xliff, po };
