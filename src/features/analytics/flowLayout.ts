import { type FlowStep, type Ribbon, ribbons } from './flowModel';

/** Least height of a step's box, the gap between two of them, and the height of a side's heading. Pixels. */
export const minBoxHeight = 30;
export const boxGap = 6;
export const headingHeight = 28;

export type FlowLayout = {
  /** Width of the steps on one side. */ readonly column: number;
  /** The page in the middle. */ readonly page: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  /** Boxes of the minimum height may need more space than the page is tall. */ readonly height: number;
  readonly before: readonly Ribbon[];
  readonly after: readonly Ribbon[];
};

/** Where steps and page are drawn beside each other, below the headings, in a drawing `width` pixels wide. */
export const flowLayout = (before: readonly FlowStep[], after: readonly FlowStep[], width: number): FlowLayout => {
  const rows = Math.max(before.length, after.length, 4);
  const pageHeight = Math.max(260, rows * (minBoxHeight + boxGap + 10));
  const pageWidth = Math.round(Math.min(200, width * 0.16));
  const placed = (steps: readonly FlowStep[]): readonly Ribbon[] =>
    ribbons(
      steps.map((step) => step.share),
      pageHeight,
      minBoxHeight,
      boxGap,
    );
  const left = placed(before);
  const right = placed(after);
  const height = Math.max(pageHeight, ...[left, right].map((list) => (list.at(-1)?.y ?? 0) + (list.at(-1)?.h ?? 0)));
  return {
    column: Math.round(Math.min(340, width * 0.32)),
    page: { x: (width - pageWidth) / 2, y: (height - pageHeight) / 2, width: pageWidth, height: pageHeight },
    height,
    before: left,
    after: right,
  };
};

/** The stream between a step and the page. */
const stream = (x1: number, x2: number, [top1, h1]: readonly [number, number], [top2, h2]: readonly [number, number]): string => {
  const mid = (x1 + x2) / 2;
  const n = (value: number): string => value.toFixed(1);
  return `M${n(x1)} ${n(top1)}C${n(mid)} ${n(top1)} ${n(mid)} ${n(top2)} ${n(x2)} ${n(top2)}V${n(top2 + h2)}C${n(mid)} ${n(top2 + h2)} ${n(mid)} ${n(top1 + h1)} ${n(x1)} ${n(top1 + h1)}Z`;
};

/** The stream of a box with the minimum height is no wider than its share. */
const thin = (y: number, h: number, share: number): readonly [number, number] =>
  h > minBoxHeight + 0.5 ? [headingHeight + y, h] : [headingHeight + y + (h - Math.min(h, share)) / 2, Math.min(h, share)];

/** SVG paths of the streams of one side, in the order of its steps. */
export const streamsOf = ({ column, page, ...sides }: FlowLayout, side: 'before' | 'after', width: number): readonly string[] =>
  sides[side].map(({ y, h, atY, atH }) => {
    const atStep = thin(y, h, atH);
    const atPage = [headingHeight + page.y + atY, atH] as const;
    return side === 'before' ? stream(column, page.x, atStep, atPage) : stream(page.x + page.width, width - column, atPage, atStep);
  });
