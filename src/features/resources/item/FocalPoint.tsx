import type { KeyboardEvent, PointerEvent, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Size } from '@contract/resources/edits';
import { useFormat } from '@/lib/format';
import { EditedPicture } from './EditedPicture';
import type { Edit } from './imageEdit';

export type Point = { readonly x: number; readonly y: number };

const within = (value: number): number => Math.min(1, Math.max(0, Math.round(value * 1000) / 1000));
const step = 0.02;
const moves: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -step, y: 0 },
  ArrowRight: { x: step, y: 0 },
  ArrowUp: { x: 0, y: -step },
  ArrowDown: { x: 0, y: step },
};

/**
 * Picks the point that crops keep visible, by pointer or arrow keys. `onPick` is null if it may not be changed; its second argument says whether a movement begins.
 * `box`: largest size of the picture in px.
 */
export function FocalPoint({
  source,
  size,
  edit,
  box,
  onPick,
}: {
  readonly source: string;
  readonly size: Size;
  readonly edit: Edit;
  readonly box: Size;
  readonly onPick: ((point: Point, isFirst: boolean) => void) | null;
}): ReactElement {
  const { t } = useTranslation('resources');
  const format = useFormat();
  const { focalX, focalY } = edit;
  const pick = ({ currentTarget, clientX, clientY, buttons, type }: PointerEvent<HTMLElement>): void => {
    if (type === 'pointermove' && buttons === 0) return;
    const at = currentTarget.getBoundingClientRect();
    onPick?.({ x: within((clientX - at.left) / at.width), y: within((clientY - at.top) / at.height) }, type === 'pointerdown');
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    onPick?.({ x: within(focalX + move.x), y: within(focalY + move.y) }, true);
  };
  return (
    <button
      type="button"
      className="resource-focal-picture"
      disabled={onPick === null}
      aria-label={t('focal.label', { x: format.percent(focalX, 0), y: format.percent(focalY, 0) })}
      onPointerDown={pick}
      onPointerMove={pick}
      onKeyDown={onKeyDown}
    >
      <EditedPicture source={source} size={size} edit={edit} box={box} />
      <span className="resource-focal-point" style={{ left: `${String(focalX * 100)}%`, top: `${String(focalY * 100)}%` }} />
    </button>
  );
}
