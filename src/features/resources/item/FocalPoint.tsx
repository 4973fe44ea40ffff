import type { KeyboardEvent, PointerEvent, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Resource } from '@contract/resources/schemas';
import { useFormat } from '@/lib/format';
import { variantAddress } from '../resourcesApi';
import { objectPosition } from './crop';

export type Point = { readonly x: number; readonly y: number };

const within = (value: number): number => Math.min(1, Math.max(0, Math.round(value * 1000) / 1000));
/** Largest height of the picture, in px; a wide one is less high. */
const pictureHeight = 300;
const step = 0.02;
const moves: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -step, y: 0 },
  ArrowRight: { x: step, y: 0 },
  ArrowUp: { x: 0, y: -step },
  ArrowDown: { x: 0, y: step },
};
const crops = [
  { id: 'square', width: 96, height: 96 },
  { id: 'share', width: 168, height: 88 },
  { id: 'portrait', width: 66, height: 88 },
] as const;

/** Picks the point that crops keep visible, by pointer or arrow keys, and previews crops around it. `onPick` is null if it may not be changed. */
export function FocalPoint({
  siteId,
  resource,
  point,
  onPick,
}: {
  readonly siteId: string;
  readonly resource: Resource;
  readonly point: Point;
  readonly onPick: ((point: Point) => void) | null;
}): ReactElement {
  const { t } = useTranslation('resources');
  const format = useFormat();
  const size = { width: resource.width ?? 1, height: resource.height ?? 1 };
  const pick = ({ currentTarget, clientX, clientY, buttons, type }: PointerEvent<HTMLElement>): void => {
    if (type === 'pointermove' && buttons === 0) return;
    const box = currentTarget.getBoundingClientRect();
    onPick?.({ x: within((clientX - box.left) / box.width), y: within((clientY - box.top) / box.height) });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    onPick?.({ x: within(point.x + move.x), y: within(point.y + move.y) });
  };
  const source = variantAddress(siteId, resource, 'small');
  return (
    <div className="resource-focal">
      <button
        type="button"
        className="resource-focal-picture"
        style={{ width: Math.round((pictureHeight * size.width) / size.height), aspectRatio: `${String(size.width)} / ${String(size.height)}` }}
        disabled={onPick === null}
        aria-label={t('focal.label', { x: format.percent(point.x, 0), y: format.percent(point.y, 0) })}
        onPointerDown={pick}
        onPointerMove={pick}
        onKeyDown={onKeyDown}
      >
        <img src={source} alt="" draggable={false} />
        <span style={{ left: `${String(point.x * 100)}%`, top: `${String(point.y * 100)}%` }} />
      </button>
      <div className="resource-crops">
        {crops.map(({ id, ...box }) => (
          <figure key={id}>
            <img src={source} alt="" style={{ ...box, objectPosition: objectPosition(size, box, point) }} />
            <figcaption>{t(`focal.${id}`)}</figcaption>
          </figure>
        ))}
      </div>
    </div>
  );
}
