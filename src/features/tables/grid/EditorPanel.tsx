import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef } from 'react';
import type { RefObject } from 'react';
import { createPortal } from 'react-dom';
import type { EditState } from './useEditing';
import type { GridView } from './useGridView';

/** Whether a press belongs to the panel: lists and calendars that it opens stand elsewhere on the page. */
const belongs = (target: EventTarget | null, panel: HTMLElement | null): boolean =>
  target instanceof Element &&
  (panel?.contains(target) === true || target.closest('[data-editor-part], .MuiPopper-root, .MuiPopover-root, .MuiDialog-root') !== null);

/** An editor beside its cell. A press elsewhere keeps what it holds, Escape does not. */
export const EditorPanel = ({ edit, view, scroller }: { edit: EditState; view: GridView; scroller: RefObject<HTMLElement | null> }) => {
  const panel = useRef<HTMLDivElement>(null);
  const faultId = useId();
  const { editing, fault } = edit;
  const placeIt = useEffectEvent(() => {
    const element = panel.current;
    const box = editing && view.boxOf(editing.cell);
    const frame = scroller.current?.getBoundingClientRect();
    if (!element || !box || !frame) return;
    const width = Math.min(Math.max(box.width, 280), innerWidth - 16);
    const left = Math.max(8, Math.min(frame.left + box.left, innerWidth - width - 8));
    const top = Math.max(frame.top, Math.min(frame.top + box.top, frame.bottom - box.height));
    element.style.width = `${String(width)}px`;
    element.style.left = `${String(left)}px`;
    // Over the cell, and upwards where there is more room there.
    const up = innerHeight - top < 300 && top > innerHeight / 2;
    element.style.top = up ? '' : `${String(top)}px`;
    element.style.bottom = up ? `${String(innerHeight - top - box.height)}px` : '';
    element.style.maxHeight = `${String((up ? top + box.height : innerHeight - top) - 8)}px`;
  });
  const outside = useEffectEvent((event: PointerEvent) => {
    if (!belongs(event.target, panel.current)) edit.commit();
  });
  const listen = view.onScroll;
  useLayoutEffect(() => {
    // While nothing is edited, nobody who scrolls waits for a layout.
    if (!editing) return undefined;
    placeIt();
    const place = (): void => placeIt();
    const press = (event: PointerEvent): void => outside(event);
    const forget = listen(place);
    addEventListener('resize', place);
    addEventListener('pointerdown', press, true);
    return () => {
      forget();
      removeEventListener('resize', place);
      removeEventListener('pointerdown', press, true);
    };
  }, [listen, editing]);
  const open = editing?.kind === 'panel';
  useEffect(() => {
    const element = panel.current;
    if (!open || !element || element.contains(document.activeElement)) return;
    (
      element.querySelector<HTMLElement>('[data-autofocus]') ??
      element.querySelector<HTMLElement>('input, textarea, select, button, [tabindex]') ??
      element
    ).focus({
      preventScroll: true,
    });
  }, [open]);
  if (editing?.kind !== 'panel') return null;
  const { column, row, typed } = editing;
  const { Editor } = column;
  if (!Editor) return null;
  return createPortal(
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys that its fields leave over
    <div
      ref={panel}
      role="dialog"
      aria-label={column.title}
      {...(fault === null ? {} : { 'aria-describedby': faultId })}
      className="g-panel"
      tabIndex={-1}
      onKeyDown={(event) => {
        event.stopPropagation();
        // An editor that closes a list of its own with Escape prevents this.
        if (event.defaultPrevented || event.nativeEvent.isComposing) return;
        if (event.key === 'Escape') edit.cancel();
        else if (event.key === 'Tab' && !(event.target instanceof HTMLTextAreaElement)) {
          const stops = [
            ...event.currentTarget.querySelectorAll<HTMLElement>('input:not(:disabled), textarea, select, button:not(:disabled):not([tabindex="-1"])'),
          ];
          const end = event.shiftKey ? stops[0] : stops.at(-1);
          if (stops.length > 1 && document.activeElement !== end) return;
          event.preventDefault();
          edit.commit(event.shiftKey ? 'left' : 'right');
        }
      }}
    >
      <Editor
        key={`${row.id} ${column.id}`}
        value={row.values[column.id] ?? null}
        row={row}
        column={column}
        typed={typed}
        onDraft={edit.onDraft}
        onDone={(way, now) => void edit.commit(way, now)}
        onCancel={edit.cancel}
      />
      {fault !== null && (
        <p id={faultId} role="alert" className="g-panel-fault">
          {fault}
        </p>
      )}
    </div>,
    document.querySelector('dialog[open]') ?? document.body,
  );
};
