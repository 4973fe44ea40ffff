import { createHash } from 'node:crypto';
import { dimensions } from '../../../../contract/analytics/schemas';
import type { DimensionId } from '../../../../contract/analytics/schemas';
import { dimensionTable } from '../dimensions';
import { verdictBounds } from '../filters';
import { isCounted, sums } from '../measures';
import { storedSums } from './schema';

/** To be raised whenever slices come to mean something else while the texts hashed below stay the same. */
const version = 3;

/** Goals are not kept: they change. No screen has rows by `exitPath`: pages count their exits. */
export const storedDimensions: readonly DimensionId[] = dimensions.filter((id) => id !== 'goal' && id !== 'exitPath');
export const isStored = (id: DimensionId): boolean => storedDimensions.includes(id);

/** A 64-bit hash as a decimal number, the way ClickHouse takes it. */
export const hash64 = (text: string): string => createHash('sha256').update(text).digest().readBigUInt64BE().toString();

const texts = JSON.stringify([version, verdictBounds, isCounted, storedSums.map((id) => sums[id]), storedDimensions.map((id) => [id, dimensionTable[id].sql])]);

/**
 * What cells of a site mean: where its days begin, whom its rules take for a person, what the dimensions say. Cells of another definition are not read,
 * so that a change of the zone or of the bot rules takes effect at once. `score`: as in `Scan`.
 */
export const definitionOf = (zone: string, score = 'bot_score'): string => hash64(`${zone}\n${score}\n${texts}`);
