import { createHash } from 'node:crypto';
import { dimensions, verdictBounds } from '../../../../contract/analytics/schemas';
import type { DimensionId } from '../../../../contract/analytics/schemas';
import { dimensionTable } from '../dimensions';
import { isCounted, sums } from '../measures';
import { storedSums } from './schema';

/** Increase this whenever the meaning of slices changes while the texts hashed below stay the same. */
const version = 3;

/** Goals are not stored, because they change. No screen has rows by `exitPath`: pages count their exits. */
export const storedDimensions: readonly DimensionId[] = dimensions.filter((id) => id !== 'goal' && id !== 'exitPath');
export const isStored = (id: DimensionId): boolean => storedDimensions.includes(id);

/** A 64-bit hash as a decimal number, as ClickHouse expects it. */
export const hash64 = (text: string): string => createHash('sha256').update(text).digest().readBigUInt64BE().toString();

const texts = JSON.stringify([version, verdictBounds, isCounted, storedSums.map((id) => sums[id]), storedDimensions.map((id) => [id, dimensionTable[id].sql])]);

/**
 * Identifies the meaning of a site's cells: the time zone of its days, its bot rules and the definitions of dimensions. Cells of another definition are not
 * read, so that a change of zone or bot rules takes effect at once. `score`: as in `Scan`.
 */
export const definitionOf = (zone: string, score = 'bot_score'): string => hash64(`${zone}\n${score}\n${texts}`);
