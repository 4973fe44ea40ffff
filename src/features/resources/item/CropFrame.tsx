import { useRef } from 'react';
import type { KeyboardEvent, PointerEvent, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Crop } from '@contract/resources/terms';
import { useFormat } from '@/lib/format';
import { corners, movedCrop, resizedCrop } from './imageEdit';
import type { Corner } from './imageEdit';

type Grip = Corner | 'all';
const steps: Readonly<Record<string, { x: number; y: number }>> = {
  ArrowLeft: { x: -0.01, y: 0 },
  ArrowRight: { x: 0.01, y: 0 },
  ArrowUp: { x: 0, y: -0.01 },
  ArrowDown: { x: 0, y: 0.01 },
};

/** The part of a picture that stays, as a frame that is moved and resized by pointer or arrow keys. `ratio`: in shares. */
export function CropFrame({
  crop,
  ratio,
  onChange,
}: {
  readonly crop: Crop;
  readonly ratio: number | null;
  readonly onChange: (crop: Crop, isFirst: boolean) => void;
}): ReactElement {
  const { t } = useTranslation('resources');
  const format = useFormat();
  const frame = useRef<HTMLSpanElement>(null);
  const drag = useRef<{ readonly x: number; readonly y: number; readonly crop: Crop; moved: boolean } | null>(null);
  const changed = (from: Crop, grip: Grip, by: { x: number; y: number }): Crop => (grip === 'all' ? movedCrop(from, by) : resizedCrop(from, grip, by, ratio));
  const handlers = (grip: Grip) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>): void => {
      event.stopPropagation();
      event.currentTarget.setPointerCapture(event.pointerId);
      drag.current = { x: event.clientX, y: event.clientY, crop, moved: false };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>): void => {
      const start = drag.current;
      const box = frame.current?.getBoundingClientRect();
      if (!start || !box) return;
      event.stopPropagation();
      onChange(changed(start.crop, grip, { x: (event.clientX - start.x) / box.width, y: (event.clientY - start.y) / box.height }), !start.moved);
      start.moved = true;
    },
    onPointerUp: (): void => {
      drag.current = null;
    },
    onKeyDown: (event: KeyboardEvent): void => {
      const step = steps[event.key];
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      onChange(changed(crop, grip, step), true);
    },
  });
  const percent = (value: number): string => `${String(value * 100)}%`;
  return (
    <span ref={frame} className="resource-cropping">
      <button
        type="button"
        className="resource-crop"
        style={{ left: percent(crop.x), top: percent(crop.y), width: percent(crop.width), height: percent(crop.height) }}
        aria-label={t('edit.frame', { width: format.percent(crop.width, 0), height: format.percent(crop.height, 0) })}
        {...handlers('all')}
      />
      {corners.map((corner) => (
        <button
          key={corner}
          type="button"
          className="resource-corner"
          data-corner={corner}
          style={{
            left: percent(crop.x + (corner.endsWith('e') ? crop.width : 0)),
            top: percent(crop.y + (corner.startsWith('s') ? crop.height : 0)),
          }}
          aria-label={t(`edit.${corner}`)}
          {...handlers(corner)}
        />
      ))}
    </span>
  );
}
