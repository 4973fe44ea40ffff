import { restOfRegion } from '../../../contract/places';
import { maxSpanMs } from '../../collect/visits';
import { populationSql } from './filters';

/**
 * SQL expressions over `visits`. `city`: the visit's city, '' if it is hidden. `row`: the key of its report row, which is the region's if the city is hidden.
 */
export type ShownCities = { readonly city: string; readonly row: string };

const instant = (at: number): string => `fromUnixTimestamp64Milli(toInt64(${Math.trunc(at)}), 'UTC')`;

/**
 * Hides cities with fewer than `floor` human visitors in [start, end), regardless of the filters of the query: with so few visitors, a visit could be traced to
 * a person. Values are inlined, so that the expressions can be embedded in any query.
 */
export function shownCities(siteId: string, { start, end }: { readonly start: number; readonly end: number }, floor: number, score?: string): ShownCities {
  const enough = `SELECT toString(city) FROM visits FINAL
    WHERE site_id = unhex('${Buffer.from(siteId).toString('hex')}') AND deleted = 0 AND ${populationSql('humans', score)}
      AND start >= ${instant(Math.max(0, start - maxSpanMs))} AND start < ${instant(end)} AND last >= ${instant(start)}
    GROUP BY city HAVING uniqExact(visitor_id) >= ${Math.trunc(floor)}`;
  const city = `if(toString(city) IN (${enough}), toString(city), '')`;
  const region = `concat('${restOfRegion}', if(province != '', toString(province), toString(country)))`;
  return { city, row: `multiIf(city = '', '', toString(city) IN (${enough}), toString(city), ${region})` };
}
