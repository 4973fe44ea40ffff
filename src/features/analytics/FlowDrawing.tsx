import { styled } from '@mui/material/styles';
import { type CSSProperties, type ReactElement, useRef } from 'react';
import { useWidth } from '@/ui/chart/useWidth';
import { type FlowLayout, flowLayout, boxGap, headingHeight, minBoxHeight, streamsOf } from './flowLayout';
import type { FlowStep, Ribbon } from './flowModel';
import { useLabels } from './useLabels';

const Frame = styled('div')({ position: 'relative', marginBottom: 16 });
const Head = styled('h4')({ fontSize: 'var(--text-secondary)', fontWeight: 500, color: 'var(--ink-2)', margin: '0 0 8px' });
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
  fontSize: 'var(--text-table)',
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
  fontSize: 'var(--text-table)',
  overflow: 'hidden',
  '& strong': { fontWeight: 600, overflowWrap: 'anywhere', display: '-webkit-box', WebkitLineClamp: 4, WebkitBoxOrient: 'vertical', overflow: 'hidden' },
});

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
type FlowProps = Omit<Props, 'label'>;
type StepProps = Pick<Props, 'nameOf' | 'hint' | 'onPick'>;

/** The page in the middle, what came before on the left, what came after on the right; stacked on a phone. */
export const FlowDrawing = ({ label, ...flow }: Props): ReactElement => {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame, 960);
  if (width < 640)
    return (
      <Frame ref={frame} role="group" aria-label={label}>
        <StackedFlow {...flow} />
      </Frame>
    );
  const layout = flowLayout(flow.before, flow.after, width);
  return (
    <Frame ref={frame} role="group" aria-label={label} style={{ height: headingHeight + layout.height }}>
      <WideFlow {...flow} layout={layout} width={width} />
    </Frame>
  );
};

const StepBox = ({ step, style, nameOf, hint, onPick }: StepProps & { readonly step: FlowStep; readonly style: CSSProperties }): ReactElement => {
  const { t, format } = useLabels();
  const name = nameOf(step);
  const text = hint(step);
  const value = `${format.compact(step.views)} · ${format.percent(step.share)}`;
  const content = (
    <>
      <span>{name}</span>
      <span>{value}</span>
    </>
  );
  return text === undefined ? (
    <Still style={{ minHeight: minBoxHeight, ...style }}>{content}</Still>
  ) : (
    <Step
      type="button"
      title={text}
      aria-label={`${name} ${value}${t('list')}${text}`}
      onClick={() => onPick(step)}
      style={{ minHeight: minBoxHeight, ...style }}
    >
      {content}
    </Step>
  );
};

const StackedFlow = ({ before, after, page, views, ...props }: FlowProps): ReactElement => {
  const { t, format } = useLabels();
  return (
    <>
      <StackedSide title={t('blocks.flow.before')} steps={before} {...props} />
      <Middle style={{ position: 'static', marginBottom: 16 }}>
        <strong>{page}</strong>
        {format.compact(views)}
      </Middle>
      <StackedSide title={t('blocks.flow.after')} steps={after} {...props} />
    </>
  );
};

type SideProps = StepProps & { readonly title: string; readonly steps: readonly FlowStep[] };

const StackedSide = ({ title, steps, ...props }: SideProps): ReactElement => (
  <section aria-label={title} style={{ marginBottom: 16 }}>
    <Head>{title}</Head>
    <List>
      {steps.map((step) => (
        <li key={step.id} style={{ marginBottom: boxGap }}>
          <StepBox step={step} style={{ background: `linear-gradient(to right, var(--info-ground) ${String(step.share * 100)}%, var(--n-2) 0)` }} {...props} />
        </li>
      ))}
    </List>
  </section>
);

const streamColour = ({ kind }: FlowStep): string =>
  kind === 'exit' ? 'var(--n-5)' : kind === 'source' ? 'var(--chart-3)' : kind === 'page' ? 'var(--chart-accent)' : 'var(--n-4)';

const WideFlow = ({
  before,
  after,
  page,
  views,
  layout,
  width,
  ...props
}: FlowProps & { readonly layout: FlowLayout; readonly width: number }): ReactElement => {
  const { t, format } = useLabels();
  const toPage = streamsOf(layout, 'before', width);
  const fromPage = streamsOf(layout, 'after', width);
  const { x, y, ...size } = layout.page;
  return (
    <>
      <svg aria-hidden width={width} height={headingHeight + layout.height} style={{ position: 'absolute', inset: 0, display: 'block' }}>
        <g opacity={0.32}>
          {before.map((step, at) => (
            <path key={step.id} d={toPage[at]} fill={streamColour(step)} />
          ))}
          {after.map((step, at) => (
            <path key={step.id} d={fromPage[at]} fill={streamColour(step)} />
          ))}
        </g>
      </svg>
      <WideSide title={t('blocks.flow.before')} steps={before} places={layout.before} left={0} layout={layout} {...props} />
      <Middle style={{ left: x, top: headingHeight + y, ...size }}>
        <strong>{page}</strong>
        <span title={format.number(views)}>
          {t('blocks.flow.views')} {format.compact(views)}
        </span>
      </Middle>
      <WideSide title={t('blocks.flow.after')} steps={after} places={layout.after} left={width - layout.column} layout={layout} {...props} />
    </>
  );
};

const WideSide = ({
  title,
  steps,
  places,
  left,
  layout: { column, height },
  ...props
}: SideProps & { readonly places: readonly Ribbon[]; readonly left: number; readonly layout: FlowLayout }): ReactElement => (
  <section aria-label={title} style={{ position: 'absolute', left, top: 0, width: column }}>
    <Head>{title}</Head>
    <List style={{ position: 'relative', height }}>
      {steps.map((step, at) => {
        const place = places[at] as Ribbon;
        return (
          <li key={step.id} style={{ position: 'absolute', insetInline: 0, top: place.y }}>
            <StepBox step={step} style={{ height: place.h }} {...props} />
          </li>
        );
      })}
    </List>
  </section>
);
