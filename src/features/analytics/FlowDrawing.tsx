import { styled } from '@mui/material/styles';
import { type CSSProperties, type ReactElement, useRef } from 'react';
import { useWidth } from '@/ui/chart/useWidth';
import { type FlowStep, type Ribbon, ribbons } from './flowModel';
import { useLabels } from './useLabels';

const Frame = styled('div')({ position: 'relative', marginBottom: 16 });
const Head = styled('h4')({ fontSize: '0.75rem', fontWeight: 500, color: 'var(--ink-2)', margin: '0 0 8px' });
const List = styled('ul')({ listStyle: 'none', margin: 0, padding: 0 });
const box = {
  display: 'flex',
  width: '100%',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: 8,
  padding: '0 10px',
  border: 0,
  borderRadius: 'var(--radius)',
  background: 'var(--n-2)',
  color: 'var(--ink)',
  fontSize: '0.8125rem',
  textAlign: 'left',
  overflow: 'hidden',
  '& > span:first-of-type': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', minWidth: 0 },
  '& > span:last-of-type': { flex: 'none', fontVariantNumeric: 'tabular-nums', color: 'var(--ink-2)' },
} as const;
const Step = styled('button')({ ...box, cursor: 'pointer', '&:hover': { background: 'var(--n-3)' } });
const Still = styled('div')(box);
const Middle = styled('div')({
  position: 'absolute',
  display: 'flex',
  flexDirection: 'column',
  justifyContent: 'center',
  padding: 8,
  borderRadius: 'var(--radius)',
  background: 'var(--n-8)',
  color: 'var(--n-0)',
  textAlign: 'center',
  fontSize: '0.8125rem',
  overflow: 'hidden',
  '& strong': { fontWeight: 600, overflowWrap: 'anywhere', display: '-webkit-box', WebkitLineClamp: 4, WebkitBoxOrient: 'vertical', overflow: 'hidden' },
});

const least = 30;
const gap = 6;
const head = 28;

type Props = {
  readonly label: string;
  readonly before: readonly FlowStep[];
  readonly after: readonly FlowStep[];
  readonly page: string;
  readonly views: number;
  readonly nameOf: (step: FlowStep) => string;
  /** Describes what a click does; undefined for steps without a target. */ readonly hint: (step: FlowStep) => string | undefined;
  readonly onPick: (step: FlowStep) => void;
};

/** The stream between a step and the page. */
const stream = (x1: number, x2: number, [top1, h1]: readonly [number, number], [top2, h2]: readonly [number, number]): string => {
  const mid = (x1 + x2) / 2;
  const n = (value: number): string => value.toFixed(1);
  return `M${n(x1)} ${n(top1)}C${n(mid)} ${n(top1)} ${n(mid)} ${n(top2)} ${n(x2)} ${n(top2)}V${n(top2 + h2)}C${n(mid)} ${n(top2 + h2)} ${n(mid)} ${n(top1 + h1)} ${n(x1)} ${n(top1 + h1)}Z`;
};

/** The stream of a box with the minimum height is no wider than its share. */
const thin = (y: number, h: number, share: number): readonly [number, number] =>
  h > least + 0.5 ? [head + y, h] : [head + y + (h - Math.min(h, share)) / 2, Math.min(h, share)];

/** The page in the middle, what came before on the left, what came after on the right; stacked on a phone. */
export const FlowDrawing = ({ label, before, after, page, views, nameOf, hint, onPick }: Props): ReactElement => {
  const { t, format } = useLabels();
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame, 960);
  const step = (one: FlowStep, style: CSSProperties = {}): ReactElement => {
    const name = nameOf(one);
    const text = hint(one);
    const value = `${format.compact(one.views)} · ${format.percent(one.share)}`;
    const inside = (
      <>
        <span>{name}</span>
        <span>{value}</span>
      </>
    );
    return text === undefined ? (
      <Still style={{ minHeight: least, ...style }}>{inside}</Still>
    ) : (
      <Step type="button" title={text} aria-label={`${name} ${value}${t('list')}${text}`} onClick={() => onPick(one)} style={{ minHeight: least, ...style }}>
        {inside}
      </Step>
    );
  };
  const plain = (title: string, steps: readonly FlowStep[]): ReactElement => (
    <section aria-label={title} style={{ marginBottom: 16 }}>
      <Head>{title}</Head>
      <List>
        {steps.map((one) => (
          <li key={one.id} style={{ marginBottom: gap }}>
            {step(one, { background: `linear-gradient(to right, var(--info-ground) ${String(one.share * 100)}%, var(--n-2) 0)` })}
          </li>
        ))}
      </List>
    </section>
  );
  if (width < 640)
    return (
      <Frame ref={frame} role="group" aria-label={label}>
        {plain(t('blocks.flow.before'), before)}
        <Middle style={{ position: 'static', marginBottom: 16 }}>
          <strong>{page}</strong>
          {format.compact(views)}
        </Middle>
        {plain(t('blocks.flow.after'), after)}
      </Frame>
    );
  const rows = Math.max(before.length, after.length, 4);
  const height = Math.max(260, rows * (least + gap + 10));
  const column = Math.round(Math.min(340, width * 0.32));
  const middle = Math.round(Math.min(200, width * 0.16));
  const middleX = (width - middle) / 2;
  const left = ribbons(
    before.map((one) => one.share),
    height,
    least,
    gap,
  );
  const right = ribbons(
    after.map((one) => one.share),
    height,
    least,
    gap,
  );
  // Boxes of the minimum height may need more room than the page is tall.
  const tall = Math.max(height, ...[left, right].map((list) => (list.at(-1)?.y ?? 0) + (list.at(-1)?.h ?? 0)));
  const offset = (tall - height) / 2;
  const colour = (one: FlowStep): string =>
    one.kind === 'exit' ? 'var(--n-5)' : one.kind === 'source' ? 'var(--chart-3)' : one.kind === 'page' ? 'var(--chart-accent)' : 'var(--n-4)';
  const sideOf = (title: string, steps: readonly FlowStep[], places: readonly Ribbon[], x: number): ReactElement => (
    <section aria-label={title} style={{ position: 'absolute', left: x, top: 0, width: column }}>
      <Head>{title}</Head>
      <List style={{ position: 'relative', height: tall }}>
        {steps.map((one, at) => {
          const place = places[at] as Ribbon;
          return (
            <li key={one.id} style={{ position: 'absolute', insetInline: 0, top: place.y }}>
              {step(one, { height: place.h })}
            </li>
          );
        })}
      </List>
    </section>
  );
  return (
    <Frame ref={frame} role="group" aria-label={label} style={{ height: head + tall }}>
      <svg aria-hidden width={width} height={head + tall} style={{ position: 'absolute', inset: 0, display: 'block' }}>
        <g opacity={0.32}>
          {before.map((one, at) => {
            const { y, h, atY, atH } = left[at] as Ribbon;
            return <path key={one.id} d={stream(column, middleX, thin(y, h, atH), [head + offset + atY, atH])} fill={colour(one)} />;
          })}
          {after.map((one, at) => {
            const { y, h, atY, atH } = right[at] as Ribbon;
            return <path key={one.id} d={stream(middleX + middle, width - column, [head + offset + atY, atH], thin(y, h, atH))} fill={colour(one)} />;
          })}
        </g>
      </svg>
      {sideOf(t('blocks.flow.before'), before, left, 0)}
      <Middle style={{ left: middleX, top: head + offset, width: middle, height }}>
        <strong>{page}</strong>
        <span title={format.number(views)}>
          {t('blocks.flow.views')} {format.compact(views)}
        </span>
      </Middle>
      {sideOf(t('blocks.flow.after'), after, right, width - column)}
    </Frame>
  );
};
