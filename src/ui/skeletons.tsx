import type { CSSProperties } from 'react';

type Size = number | string;

/** A grey placeholder bar. */
export const Bone = ({ w = '100%', h = 14, style }: { w?: Size; h?: Size; style?: CSSProperties }) => (
  <span aria-hidden="true" className="bone" style={{ width: w, height: h, ...style }} />
);

export const RowsSkeleton = ({ rows = 8 }: { rows?: number }) => (
  <div aria-hidden="true">
    {Array.from({ length: rows }, (_, at) => (
      <div key={at} className="skeleton-row">
        <Bone w={`${String(30 + ((at * 17) % 30))}%`} />
        <Bone w="10%" />
        <Bone w="8%" />
      </div>
    ))}
  </div>
);

const FiguresSkeleton = () => (
  <div className="skeleton-figures" aria-hidden="true">
    {[0, 1, 2, 3, 4].map((at) => (
      <div key={at}>
        <Bone w={64} h={12} />
        <Bone w={96} h={28} style={{ margin: '8px 0' }} />
        <Bone w={48} h={12} />
      </div>
    ))}
  </div>
);

/** In the middle of a page that has no shape yet. */
export const Spinner = () => <div className="spinner" aria-hidden="true" />;

/** The six kinds of page (look.md), as skeletons shown until the page loads; `spinner` has none. */
export type SkeletonKind = 'report' | 'list' | 'form' | 'board' | 'wizard' | 'workbench' | 'spinner';

const body = {
  report: () => (
    <>
      <FiguresSkeleton />
      <Bone h={240} style={{ marginBottom: 24 }} />
      <RowsSkeleton rows={6} />
    </>
  ),
  list: RowsSkeleton,
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
    <div className="skeleton-grid" aria-hidden="true">
      {[0, 1, 2, 3, 4, 5].map((at) => (
        <div key={at}>
          <Bone w="50%" h={16} style={{ marginBottom: 12 }} />
          <Bone h={96} />
        </div>
      ))}
    </div>
  ),
  wizard: () => <Bone h={280} style={{ maxWidth: 720 }} />,
  workbench: () => <Bone h="60vh" />,
  spinner: Spinner,
} as const;

/** A page that is still loading: its message for the reader, and its skeleton. */
export const PageSkeleton = ({ kind = 'list', message }: { kind?: SkeletonKind | undefined; message: string }) => {
  const Body = body[kind];
  return (
    <div aria-busy="true">
      <Bone w={180} h={24} style={{ marginBottom: 12 }} />
      <p className="skeleton-message" role="status">
        {message}
      </p>
      <Body />
    </div>
  );
};
