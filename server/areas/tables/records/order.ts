/** An exact decimal number: `digits × 10^-scale`. */
type Decimal = { readonly digits: bigint; readonly scale: number };

function parse(text: string): Decimal {
  const [whole = '0', fraction = ''] = text.split('.');
  return { digits: BigInt(whole + fraction), scale: fraction.length };
}
const scaled = ({ digits, scale }: Decimal, to: number): bigint => digits * 10n ** BigInt(to - scale);
const floorDiv = (a: bigint, b: bigint): bigint => (a >= 0n || a % b === 0n ? a / b : a / b - 1n);
function format(digits: bigint, scale: number): string {
  if (scale === 0) return String(digits);
  const padded = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0');
  const fraction = padded.slice(-scale).replace(/0+$/, '');
  return `${digits < 0n ? '-' : ''}${padded.slice(0, -scale)}${fraction === '' ? '' : `.${fraction}`}`;
}

/**
 * `count` ascending numbers strictly between `low` and `high` (null: no neighbour on that side), as short as the gap allows and centred in it, which
 * leaves room on both sides. Exact: nothing is rounded, whatever was moved before. Behind the last record they stay below the next whole number, which
 * is the position of a new record. Throws if `low` is not below `high`.
 */
export function ordersBetween(low: string | null, high: string | null, count: number): string[] {
  if (low === null && high === null) return Array.from({ length: count }, (_, at) => String(at + 1));
  if (low === null) {
    const { digits, scale } = parse(high ?? '0');
    const ceiling = -floorDiv(-digits, 10n ** BigInt(scale));
    return Array.from({ length: count }, (_, at) => String(ceiling - BigInt(count) + BigInt(at)));
  }
  const from = parse(low);
  const to = high === null ? { digits: floorDiv(from.digits, 10n ** BigInt(from.scale)) + 1n, scale: 0 } : parse(high);
  const parts = BigInt(count);
  const shared = Math.max(from.scale, to.scale);
  if (scaled(from, shared) >= scaled(to, shared)) throw new Error('no room between equal neighbours');
  // The fewest digits with which count + 1 steps fit into the gap, at the scale of both neighbours for comparison.
  for (let digits = 0; ; digits++) {
    const scale = Math.max(shared, digits);
    const unit = 10n ** BigInt(scale - digits);
    const [a, b] = [scaled(from, scale), scaled(to, scale)];
    if ((parts + 1n) * unit >= b - a) continue;
    const start = floorDiv(a + (b - a - parts * unit) / 2n, unit);
    return Array.from({ length: count }, (_, at) => format(start + BigInt(at) + 1n, digits));
  }
}
