import { styled } from '@mui/material/styles';
import { type ReactElement, useId, useRef } from 'react';
import { useWidth } from '@/ui/chart/useWidth';
import type { Outline, Region } from './outline';
import { classColour, classOf } from './scale';

const Svg = styled('svg')({
  display: 'block',
  width: '100%',
  height: 'auto',
  overflow: 'visible',
  '& .land': {
    stroke: 'var(--canvas)',
    strokeWidth: 1,
    vectorEffect: 'non-scaling-stroke',
    strokeLinejoin: 'round',
    fillRule: 'evenodd',
    transition: 'fill 150ms var(--ease)',
  },
  '& .pick': { cursor: 'pointer' },
  '& .line': { stroke: 'var(--n-6)', fill: 'none', strokeWidth: 1.4, vectorEffect: 'non-scaling-stroke', strokeLinecap: 'round' },
  '& .frame': { stroke: 'var(--n-5)', fill: 'none', strokeWidth: 1, vectorEffect: 'non-scaling-stroke' },
  '& .read': { stroke: 'var(--ink)', strokeWidth: 1.6, vectorEffect: 'non-scaling-stroke', strokeLinejoin: 'round', fill: 'none', pointerEvents: 'none' },
  '& text': {
    fill: 'var(--ink)',
    stroke: 'var(--canvas)',
    strokeWidth: 2.5,
    paintOrder: 'stroke',
    strokeLinejoin: 'round',
    vectorEffect: 'non-scaling-stroke',
    textAnchor: 'middle',
    pointerEvents: 'none',
  },
});
/** Regions too small to touch get a larger invisible target. */
const small = new Set(['CN-HK', 'CN-MO']);

type PlacedName = { readonly region: Region; readonly name: string; readonly half: number };

/** The names that fit on the map, by rank: a name that would overlap an earlier one is omitted. `unit`: map units per pixel. */
function placedNames(regions: readonly Region[], names: ReadonlyMap<string, string>, unit: number): readonly PlacedName[] {
  const placed: PlacedName[] = [];
  for (const [code, name] of names) {
    const region = regions.find((one) => one.code === code);
    if (region === undefined) continue;
    const half = ([...name].reduce((sum, mark) => sum + (mark > '\u2e80' ? 11 : 6.2), 0) / 2 + 1) * unit;
    const free = placed.every((other) => Math.abs(other.region.y - region.y) > 12 * unit || Math.abs(other.region.x - region.x) > other.half + half);
    if (free) placed.push({ region, name, half });
  }
  return placed;
}

/** A map whose regions are coloured by class, for the eye and the pointer only: the caller provides the same data as text. */
export const MapDrawing = ({
  outline,
  values,
  breaks,
  names,
  read,
  southSea,
  onRead,
  onPick,
}: {
  readonly outline: Outline;
  /** By code. */ readonly values: ReadonlyMap<string, number | null>;
  readonly breaks: readonly number[];
  /** Names on the map, by code; omitted where there is no space. */ readonly names: ReadonlyMap<string, string>;
  /** Code of the highlighted region. */ readonly read: string | null;
  /** Caption of the inset. */ readonly southSea: string;
  readonly onRead: (code: string | null) => void;
  readonly onPick: (code: string) => void;
}): ReactElement => {
  const box = useRef<HTMLDivElement>(null);
  const hatch = useId();
  const { width, height, regions, inset } = outline;
  const boxWidth = useWidth(box, 800);
  const unit = width / boxWidth;
  const fill = (code: string): string => classColour(classOf(values.get(code), breaks), breaks);
  const hand = (code: string) => ({
    onPointerEnter: () => onRead(code),
    onClick: () => onPick(code),
  });
  const now = read === null ? undefined : regions.find((one) => one.code === read);
  const written = boxWidth < 520 ? [] : placedNames(regions, names, unit);
  return (
    <div ref={box} onPointerLeave={() => onRead(null)}>
      <Svg aria-hidden viewBox={`0 0 ${String(width)} ${String(height)}`}>
        <defs>
          <pattern id={hatch} width={5 * unit} height={5 * unit} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect width={5 * unit} height={5 * unit} fill="var(--n-2)" />
            <line x1="0" y1="0" x2="0" y2={5 * unit} stroke="var(--n-4)" strokeWidth={2 * unit} />
          </pattern>
        </defs>
        {regions.map(({ code, path }) => (
          <path key={code} className="land pick" data-code={code} d={path} fill={fill(code)} {...hand(code)} />
        ))}
        {outline.neutral !== '' && <path className="land" d={outline.neutral} fill={`url(#${hatch})`} />}
        <path className="line" d={outline.dashes} />
        {inset !== undefined && (
          <g>
            <path className="land" d={inset.land} fill="var(--n-3)" />
            <path className="land pick" d={inset.hainan} fill={fill('CN-HI')} stroke="var(--n-5)" {...hand('CN-HI')} />
            <path className="line" d={inset.dashes} />
            <rect className="frame" {...inset.frame} />
            {boxWidth > 420 && (
              <text
                x={inset.frame.x + inset.frame.width / 2}
                y={inset.frame.y - 6 * unit}
                style={{ fill: 'var(--ink-2)', fontSize: `calc(var(--text-secondary) * ${String(unit)})` }}
              >
                {southSea}
              </text>
            )}
          </g>
        )}
        {regions
          .filter(({ code }) => small.has(code))
          .map(({ code, path }) => (
            <path key={code} d={path} fill="transparent" stroke="transparent" strokeWidth={12 * unit} className="pick" {...hand(code)} />
          ))}
        {now !== undefined && <path className="read" d={now.path} />}
        {written.map(({ region: { code, x, y }, name }) => (
          <text key={code} x={x} y={y} dy="0.35em" style={{ fontSize: `calc(var(--text-secondary) * ${String(unit)})` }}>
            {name}
          </text>
        ))}
      </Svg>
    </div>
  );
};
