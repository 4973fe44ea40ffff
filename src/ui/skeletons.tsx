import { keyframes, styled } from '@mui/material/styles';

const breathe = keyframes({ from: { opacity: 1 }, to: { opacity: 0.45 } });
/** A grey bar where words or a drawing will be. */
export const Bone = styled('span', { shouldForwardProp: (name) => name !== 'w' && name !== 'h' })<{ w?: number | string; h?: number | string }>(({ w = '100%', h = 14 }) => ({
  display: 'block', width: w, maxWidth: '100%', height: h, borderRadius: 3, background: 'var(--n-3)', animation: `${breathe} 800ms ease-in-out infinite alternate`,
}));
const Line = styled('div')({ display: 'flex', gap: 16, alignItems: 'center', padding: '11px 0', borderBottom: '1px solid var(--line)' });
const Message = styled('p')({ color: 'var(--ink-2)', fontSize: '0.8125rem', marginBottom: 16 });
const Figures = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: '16px 40px', margin: '8px 0 24px' });
const Grid = styled('div')({ display: 'grid', gridTemplateColumns: 'repeat(auto-fill, minmax(260px, 1fr))', gap: 24 });

export const RowsSkeleton = ({ rows = 8 }: { rows?: number }) => (
  <div aria-hidden="true">
    {Array.from({ length: rows }, (_, at) => (
      <Line key={at}>
        <Bone w={`${String(30 + ((at * 17) % 30))}%`} />
        <Bone w="10%" />
        <Bone w="8%" />
      </Line>
    ))}
  </div>
);

const FiguresSkeleton = () => (
  <Figures aria-hidden="true">
    {[0, 1, 2, 3, 4].map((at) => (
      <div key={at}>
        <Bone w={64} h={12} />
        <Bone w={96} h={28} style={{ margin: '8px 0' }} />
        <Bone w={48} h={12} />
      </div>
    ))}
  </Figures>
);

/** The six kinds of page (look.md), as the grey shape that stands there until the page itself does. */
export type SkeletonKind = 'report' | 'list' | 'form' | 'board' | 'wizard' | 'workbench';

const body = {
  report: () => (
    <>
      <FiguresSkeleton />
      <Bone h={240} style={{ marginBottom: 24 }} />
      <RowsSkeleton rows={6} />
    </>
  ),
  list: () => <RowsSkeleton />,
  form: () => (
    <div aria-hidden="true" style={{ maxWidth: 720 }}>
      {[0, 1, 2, 3].map((at) => (
        <div key={at} style={{ marginBottom: 24 }}>
          <Bone w={80} h={12} style={{ marginBottom: 8 }} />
          <Bone h={36} />
        </div>
      ))}
    </div>
  ),
  board: () => (
    <Grid aria-hidden="true">
      {[0, 1, 2, 3, 4, 5].map((at) => (
        <div key={at}>
          <Bone w="50%" h={16} style={{ marginBottom: 12 }} />
          <Bone h={96} />
        </div>
      ))}
    </Grid>
  ),
  wizard: () => <Bone h={280} style={{ maxWidth: 720 }} />,
  workbench: () => <Bone h="60vh" />,
} as const;

/** A page that is not there yet: its message for the reader, and its shape. */
export const PageSkeleton = ({ kind = 'list', message }: { kind?: SkeletonKind; message: string }) => {
  const Body = body[kind];
  return (
    <div aria-busy="true">
      <Bone aria-hidden="true" w={180} h={24} style={{ marginBottom: 12 }} />
      <Message role="status">{message}</Message>
      <Body />
    </div>
  );
};
