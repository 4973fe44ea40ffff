import fc from 'fast-check';
import {
  addDays,
  addMonths,
  away,
  both,
  compareText,
  compared,
  counted,
  dateText,
  dayMs,
  dayOf,
  dayText,
  digits,
  floor,
  literal,
  num,
  one,
  ops,
  order,
  scaled,
  trunc,
  wall,
  zone,
} from './formulaValues';
import type { Bool, Day, FormulaCase, Moment, Num, OracleRow, Text } from './formulaValues';

export const oracleText = fc.string({ unit: fc.constantFrom('a', 'B', '龙', '井', ' ', '"', '\\', '%', '茶', '1', '🍵'), maxLength: 6 });
const decimal = fc
  .tuple(fc.integer({ min: -9999, max: 9999 }), fc.integer({ min: 0, max: 9999 }))
  .map(([whole, part]) => `${whole}.${String(part).padStart(4, '0')}`);
export const oracleNumber = fc.oneof(
  { weight: 5, arbitrary: decimal },
  { weight: 2, arbitrary: fc.constantFrom('0', '1', '-1', '2.5', '-2.5', '0.5') },
  fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }).map(String),
);
const day = fc.integer({ min: dayOf('1990-01-01'), max: dayOf('2090-12-31') });
export const oracleRow: fc.Arbitrary<OracleRow> = fc.record({
  a: fc.option(oracleNumber),
  b: fc.option(oracleNumber),
  i: fc.option(fc.integer({ min: -50, max: 50 })),
  t: fc.option(oracleText.filter((text) => text !== '')),
  u: fc.option(oracleText.filter((text) => text !== '')),
  s: fc.option(fc.boolean()),
  d: fc.option(day.map(dayText)),
  e: fc.option(day.map(dayText)),
  m: fc.option(fc.tuple(day, fc.integer({ min: 0, max: 86_399 })).map(([n, seconds]) => new Date(n * dayMs + seconds * 1000).toISOString())),
});

/** Formulas of every type, with every function, nested. */
export const formulas = fc.letrec<{ num: Num; text: Text; bool: Bool; day: Day; moment: Moment }>((tie) => {
  const [n, t, b, d, m] = [tie('num'), tie('text'), tie('bool'), tie('day'), tie('moment')];
  const numLeaf = fc.oneof(
    fc.constantFrom<'a' | 'b'>('a', 'b').map((name): Num => ({ source: `{${name}}`, value: (row) => (row[name] === null ? null : scaled(row[name])) })),
    fc.constant<Num>({ source: '{i}', value: (row) => (row.i === null ? null : BigInt(row.i) * one) }),
    fc.constantFrom('0', '1', '2', '10', '0.25', '1.5', '100').map((text): Num => ({ source: text, value: () => scaled(text) })),
  );
  const list = fc.array(n, { minLength: 1, maxLength: 3 });
  const sources = (all: readonly { source: string }[]): string => all.map((part) => part.source).join(', ');
  const values = (all: readonly Num[], row: OracleRow, now: number): bigint[] => all.map((part) => part.value(row, now)).filter((value) => value !== null);
  const parts: Record<string, (ms: Date) => number> = {
    YEAR: (at) => at.getUTCFullYear(),
    MONTH: (at) => at.getUTCMonth() + 1,
    DAY: (at) => at.getUTCDate(),
    WEEKDAY: (at) => ((at.getUTCDay() + 6) % 7) + 1,
    HOUR: (at) => at.getUTCHours(),
    MINUTE: (at) => at.getUTCMinutes(),
  };
  const chosen = <T>(c: Bool, x: FormulaCase<T>, y: FormulaCase<T>): FormulaCase<T> => ({
    source: `IF(${c.source}, ${x.source}, ${y.source})`,
    value: (row, now) => (c.value(row, now) ? x : y).value(row, now),
  });
  return {
    num: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      numLeaf,
      fc.tuple(n, n).map(([x, y]) =>
        num(
          `(${x.source} + ${y.source})`,
          both(x, y, (p, q) => p + q),
        ),
      ),
      fc.tuple(n, n).map(([x, y]) =>
        num(
          `(${x.source} - ${y.source})`,
          both(x, y, (p, q) => p - q),
        ),
      ),
      fc.tuple(n, n).map(([x, y]) =>
        num(
          `${x.source} * (${y.source})`,
          both(x, y, (p, q) => away(p * q, one)),
        ),
      ),
      fc.tuple(n, n).map(([x, y]) =>
        num(
          `${x.source} / (${y.source})`,
          both(x, y, (p, q) => (q === 0n ? null : away(p * one, q))),
        ),
      ),
      fc.tuple(n, n).map(([x, y]) =>
        num(
          `MOD(${x.source}, ${y.source})`,
          both(x, y, (p, q) => (q === 0n ? null : p - floor(p, q) * q)),
        ),
      ),
      n
        .map((x) =>
          num(`-${x.source.startsWith('-') ? `(${x.source})` : x.source}`, (row, now) => {
            const v = x.value(row, now);
            return v === null ? null : -v;
          }),
        )
        .filter((x) => !/[*/]/.test(x.source)),
      n.map((x) =>
        num(`ABS(${x.source})`, (row, now) => {
          const v = x.value(row, now);
          return v !== null && v < 0n ? -v : v;
        }),
      ),
      fc.tuple(n, fc.integer({ min: -3, max: 12 })).map(([x, places]) =>
        num(`ROUND(${x.source}, ${places})`, (row, now) => {
          const v = x.value(row, now);
          const unit = 10n ** BigInt(20 - places);
          return v === null ? null : away(v, unit) * unit;
        }),
      ),
      n.map((x) =>
        num(`FLOOR(${x.source})`, (row, now) => {
          const v = x.value(row, now);
          return v === null ? null : floor(v, one) * one;
        }),
      ),
      n.map((x) =>
        num(`CEILING(${x.source})`, (row, now) => {
          const v = x.value(row, now);
          return v === null ? null : -floor(-v, one) * one;
        }),
      ),
      fc.tuple(n, fc.constantFrom('0.25', '5', '-2')).map(([x, step]) =>
        num(`FLOOR(${x.source}, ${step})`, (row, now) => {
          const v = x.value(row, now);
          return v === null ? null : floor(v, scaled(step)) * scaled(step);
        }),
      ),
      fc.tuple(n, fc.integer({ min: 0, max: 4 })).map(([x, y]) =>
        num(`POWER(ROUND(${x.source}, 1), ${y})`, (row, now) => {
          const v = x.value(row, now);
          if (v === null) return null;
          const base = away(v, one / 10n);
          return y === 0 ? one : (base ** BigInt(y) * one) / 10n ** BigInt(y);
        }),
      ),
      list.map((all) =>
        num(`SUM(${sources(all)})`, (row, now) => {
          const v = values(all, row, now);
          return v.length === 0 ? null : v.reduce((p, q) => p + q, 0n);
        }),
      ),
      list.map((all) =>
        num(`AVERAGE(${sources(all)})`, (row, now) => {
          const v = values(all, row, now);
          return v.length === 0
            ? null
            : away(
                v.reduce((p, q) => p + q, 0n),
                BigInt(v.length),
              );
        }),
      ),
      list.map((all) =>
        num(`MIN(${sources(all)})`, (row, now) => {
          const v = values(all, row, now);
          return v.length === 0 ? null : v.reduce((p, q) => (q < p ? q : p));
        }),
      ),
      list.map((all) =>
        num(`MAX(${sources(all)})`, (row, now) => {
          const v = values(all, row, now);
          return v.length === 0 ? null : v.reduce((p, q) => (q > p ? q : p));
        }),
      ),
      list.map((all) => num(`COALESCE(${sources(all)})`, (row, now) => values(all, row, now)[0] ?? null)),
      t.map((x) => num(`LEN(${x.source})`, (row, now) => BigInt(Array.from(x.value(row, now)).length) * one)),
      fc.tuple(t, t).map(([x, y]) =>
        num(`FIND(${x.source}, ${y.source})`, (row, now) => {
          const [p, q] = [x.value(row, now), y.value(row, now)];
          const at = p === '' ? -1 : q.indexOf(p);
          return at < 0 ? 0n : BigInt(Array.from(q.slice(0, at)).length + 1) * one;
        }),
      ),
      fc
        .oneof(
          t,
          n.map((x): Text => ({ source: `CONCAT(" ", ${x.source})`, value: (row, now) => ` ${digits(x.value(row, now))}` })),
        )
        .map((x) =>
          num(`VALUE(${x.source})`, (row, now) => {
            const text = x.value(row, now).trim().replaceAll(',', '');
            return /^[+-]?(\d{1,60}(\.\d{0,40})?|\.\d{1,40})$/.test(text) ? scaled(text) : null;
          }),
        ),
      fc.tuple(fc.constantFrom('YEAR', 'MONTH', 'DAY', 'WEEKDAY'), d).map(([name, x]) =>
        num(`${name}(${x.source})`, (row, now) => {
          const v = x.value(row, now);
          return v === null ? null : BigInt(parts[name]?.(new Date(v * dayMs)) ?? 0) * one;
        }),
      ),
      fc.tuple(fc.constantFrom('YEAR', 'MONTH', 'DAY', 'WEEKDAY', 'HOUR', 'MINUTE'), m).map(([name, x]) =>
        num(`${name}(${x.source})`, (row, now) => {
          const v = x.value(row, now);
          return v === null ? null : BigInt(parts[name]?.(wall(v)) ?? 0) * one;
        }),
      ),
      fc.tuple(d, d).map(([x, y]) =>
        num(
          `DATEDIFF(${x.source}, ${y.source})`,
          both(x, y, (p, q) => BigInt(p - q) * one),
        ),
      ),
      fc.tuple(d, d).map(([x, y]) =>
        num(
          `(${x.source} - ${y.source})`,
          both(x, y, (p, q) => BigInt(p - q) * one),
        ),
      ),
      fc.tuple(d, d).map(([x, y]) =>
        num(
          `DATEDIFF(${x.source}, ${y.source}, "月")`,
          both(x, y, (p, q) => {
            // Forward from the earlier date, one month at a time.
            const [low, high] = p < q ? [new Date(p * dayMs), new Date(q * dayMs)] : [new Date(q * dayMs), new Date(p * dayMs)];
            let months = (high.getUTCFullYear() - low.getUTCFullYear()) * 12 + high.getUTCMonth() - low.getUTCMonth();
            if (high.getUTCDate() < low.getUTCDate()) months -= 1;
            return BigInt(p < q ? -months : months) * one;
          }),
        ),
      ),
      fc.tuple(m, m).map(([x, y]) =>
        num(
          `DATEDIFF(${x.source}, ${y.source}, "hours")`,
          both(x, y, (p, q) => BigInt(Math.trunc((p - q) / 3_600_000)) * one),
        ),
      ),
      fc.tuple(b, n, n).map(([c, x, y]) => chosen(c, x, y)),
      fc.tuple(t, n, n).map(([of, x, y]) =>
        num(`SWITCH(${of.source}, "a", ${x.source}, "龙", ${y.source})`, (row, now) => {
          const v = of.value(row, now);
          return v === 'a' ? x.value(row, now) : v === '龙' ? y.value(row, now) : null;
        }),
      ),
    ),
    text: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom<'t' | 'u'>('t', 'u').map((name): Text => ({ source: `{${name}}`, value: (row) => row[name] ?? '' })),
      oracleText.map((text): Text => ({ source: literal(text), value: () => text })),
      fc.tuple(t, t).map(([x, y]): Text => ({ source: `(${x.source} & ${y.source})`, value: (row, now) => x.value(row, now) + y.value(row, now) })),
      fc
        .tuple(t, n)
        .map(([x, y]): Text => ({ source: `CONCAT(${x.source}, ${y.source})`, value: (row, now) => x.value(row, now) + digits(y.value(row, now)) })),
      b.map((x): Text => ({ source: `TEXT(${x.source})`, value: (row, now) => String(x.value(row, now)) })),
      fc.tuple(t, n).map(([x, y]): Text => ({
        source: `LEFT(${x.source}, ${y.source})`,
        value: (row, now) =>
          Array.from(x.value(row, now))
            .slice(0, counted(y.value(row, now), 0, 1_000_000))
            .join(''),
      })),
      fc.tuple(t, n).map(([x, y]): Text => ({
        source: `RIGHT(${x.source}, ${y.source})`,
        value: (row, now) => {
          const all = Array.from(x.value(row, now));
          const take = counted(y.value(row, now), 0, 1_000_000);
          return take === 0 ? '' : all.slice(-take).join('');
        },
      })),
      fc.tuple(t, n, n).map(([x, y, z]): Text => ({
        source: `MID(${x.source}, ${y.source}, ${z.source})`,
        value: (row, now) => {
          const from = counted(y.value(row, now), 1, 10_000_000) - 1;
          return Array.from(x.value(row, now))
            .slice(from, from + counted(z.value(row, now), 0, 1_000_000))
            .join('');
        },
      })),
      t.map((x): Text => ({ source: `UPPER(${x.source})`, value: (row, now) => x.value(row, now).toUpperCase() })),
      t.map((x): Text => ({ source: `LOWER(${x.source})`, value: (row, now) => x.value(row, now).toLowerCase() })),
      t.map((x): Text => ({ source: `TRIM(${x.source})`, value: (row, now) => x.value(row, now).trim() })),
      fc.tuple(t, t, t).map(([x, y, z]): Text => ({
        source: `SUBSTITUTE(${x.source}, ${y.source}, ${z.source})`,
        value: (row, now) => {
          const old = y.value(row, now);
          return old === '' ? x.value(row, now) : x.value(row, now).split(old).join(z.value(row, now));
        },
      })),
      d.map((x): Text => ({
        source: `TEXT(${x.source}, "YYYY年M月D日")`,
        value: (row, now) => {
          const v = x.value(row, now);
          if (v === null) return '';
          const [year, month, date] = dayText(v).split('-');
          return `${year}年${Number(month)}月${Number(date)}日`;
        },
      })),
      d.map((x): Text => ({ source: `DATESTR(${x.source})`, value: (row, now) => dateText(x.value(row, now)) })),
      m.map((x): Text => ({
        source: `(${x.source} & "")`,
        value: (row, now) => {
          const v = x.value(row, now);
          return v === null ? '' : wall(v).toISOString().slice(0, 16).replace('T', ' ');
        },
      })),
      n.map((x): Text => ({
        source: `TEXT(${x.source}, "#,##0.00")`,
        value: (row, now) => {
          const v = x.value(row, now);
          if (v === null) return '';
          const cents = String(away(v < 0n ? -v : v, one / 100n)).padStart(3, '0');
          const text = `${cents.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ',')}.${cents.slice(-2)}`;
          return v < 0n && /[1-9]/.test(text) ? `-${text}` : text;
        },
      })),
      fc.tuple(b, t, t).map(([c, x, y]) => chosen(c, x, y)),
      fc.tuple(t, t).map(([x, y]): Text => ({ source: `COALESCE(${x.source}, ${y.source})`, value: (row, now) => x.value(row, now) || y.value(row, now) })),
      fc.tuple(b, t, n).map(([c, x, y]): Text => ({
        source: `IF(${c.source}, ${x.source}, ${y.source})`,
        value: (row, now) => (c.value(row, now) ? x.value(row, now) : digits(y.value(row, now))),
      })),
    ),
    bool: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constant<Bool>({ source: '({s} = true)', value: (row) => row.s === true }),
      fc.boolean().map((value): Bool => ({ source: String(value), value: () => value })),
      fc.tuple(n, fc.constantFrom(...Object.keys(ops)), n).map(([x, op, y]): Bool => ({
        source: `(${x.source} ${op} ${y.source})`,
        value: (row, now) => compared(op, x.value(row, now), y.value(row, now), order),
      })),
      fc.tuple(t, fc.constantFrom(...Object.keys(ops)), t).map(([x, op, y]): Bool => ({
        source: `(${x.source} ${op} ${y.source})`,
        value: (row, now) => compared(op, x.value(row, now) || null, y.value(row, now) || null, compareText),
      })),
      fc.tuple(d, fc.constantFrom(...Object.keys(ops)), d).map(([x, op, y]): Bool => ({
        source: `(${x.source} ${op} ${y.source})`,
        value: (row, now) => compared(op, x.value(row, now), y.value(row, now), order),
      })),
      fc.tuple(m, fc.constantFrom(...Object.keys(ops)), d).map(([x, op, y]): Bool => ({
        source: `(${x.source} ${op} ${y.source})`,
        value: (row, now) => {
          const v = x.value(row, now);
          return compared(op, v === null ? null : Math.floor((v + zone) / dayMs), y.value(row, now), order);
        },
      })),
      fc.tuple(b, b).map(([x, y]): Bool => ({ source: `AND(${x.source}, ${y.source})`, value: (row, now) => x.value(row, now) && y.value(row, now) })),
      fc.tuple(b, b).map(([x, y]): Bool => ({ source: `OR(${x.source}, ${y.source})`, value: (row, now) => x.value(row, now) || y.value(row, now) })),
      b.map((x): Bool => ({ source: `NOT(${x.source})`, value: (row, now) => !x.value(row, now) })),
      n.map((x): Bool => ({ source: `ISBLANK(${x.source})`, value: (row, now) => x.value(row, now) === null })),
      t.map((x): Bool => ({ source: `ISBLANK(${x.source})`, value: (row, now) => x.value(row, now) === '' })),
      fc.tuple(t, t).map(([x, y]): Bool => ({
        source: `CONTAINS(${x.source}, ${y.source})`,
        value: (row, now) => {
          const part = y.value(row, now).toLowerCase();
          return part !== '' && x.value(row, now).toLowerCase().includes(part);
        },
      })),
      // A number, a text or a day used as a condition.
      n.map((x): Bool => ({
        source: `NOT(${x.source})`,
        value: (row, now) => {
          const v = x.value(row, now);
          return v === null || v === 0n;
        },
      })),
      t.map((x): Bool => ({ source: `NOT(${x.source})`, value: (row, now) => x.value(row, now) === '' })),
    ),
    day: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom<'d' | 'e'>('d', 'e').map((name): Day => ({ source: `{${name}}`, value: (row) => (row[name] === null ? null : dayOf(row[name])) })),
      fc.constant<Day>({ source: 'TODAY()', value: (_, now) => Math.floor((now + zone) / dayMs) }),
      fc.tuple(d, n).map(([x, y]): Day => ({ source: `DATEADD(${x.source}, ${y.source}, "days")`, value: both(x, y, (p, q) => addDays(p, trunc(q))) })),
      fc.tuple(d, n).map(([x, y]): Day => ({ source: `(${x.source} + ${y.source})`, value: both(x, y, (p, q) => addDays(p, trunc(q))) })),
      fc.tuple(d, n).map(([x, y]): Day => ({
        source: `DATEADD(${x.source}, ${y.source}, "months")`,
        value: both(x, y, (p, q) => (trunc(q) > 10n ** 6n || trunc(q) < -(10n ** 6n) ? null : addMonths(p, Number(trunc(q))))),
      })),
      fc.tuple(n, n, n).map(([x, y, z]): Day => ({
        source: `DATE(${x.source}, ${y.source}, ${z.source})`,
        value: (row, now) => {
          const [year, month, date] = [x, y, z].map((part) => {
            const v = part.value(row, now);
            return v === null ? Number.NaN : Number(trunc(v));
          });
          const utcDate = new Date(0);
          utcDate.setUTCFullYear(year ?? 0, (month ?? 0) - 1, date);
          return year !== undefined &&
            year >= 1 &&
            year <= 9999 &&
            utcDate.getUTCFullYear() === year &&
            utcDate.getUTCMonth() + 1 === month &&
            utcDate.getUTCDate() === date
            ? utcDate.getTime() / dayMs
            : null;
        },
      })),
      fc.tuple(d, d).map(([x, y]): Day => ({
        source: `MAX(${x.source}, ${y.source})`,
        value: (row, now) => {
          const [p, q] = [x.value(row, now), y.value(row, now)];
          return p === null ? q : q === null ? p : Math.max(p, q);
        },
      })),
      fc.tuple(b, d, d).map(([c, x, y]) => chosen(c, x, y)),
    ),
    moment: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constant<Moment>({ source: '{m}', value: (row) => (row.m === null ? null : Date.parse(row.m)) }),
      fc.constant<Moment>({ source: 'NOW()', value: (_, now) => now }),
      fc.tuple(m, n).map(([x, y]): Moment => ({
        source: `DATEADD(${x.source}, ${y.source}, "minutes")`,
        value: both(x, y, (p, q) => {
          const by = trunc(q);
          if (by > 10n ** 11n || by < -(10n ** 11n)) return null;
          const at = p + Number(by) * 60_000;
          return at >= Date.parse('0001-01-01T00:00:00Z') && at < Date.parse('9999-12-31T00:00:00Z') + dayMs ? at : null;
        }),
      })),
      fc.tuple(m, n).map(([x, y]): Moment => ({
        source: `DATEADD(${x.source}, ${y.source}, "个月")`,
        value: both(x, y, (p, q) => {
          if (trunc(q) > 10n ** 6n || trunc(q) < -(10n ** 6n)) return null;
          const local = p + zone;
          const moved = addMonths(Math.floor(local / dayMs), Number(trunc(q)));
          return moved === null ? null : moved * dayMs + (local - Math.floor(local / dayMs) * dayMs) - zone;
        }),
      })),
    ),
  };
});
