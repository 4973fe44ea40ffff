import { autoUpdate, flip, offset, shift, size, useFloating } from '@floating-ui/react';
import type { UseFloatingOptions, VirtualElement } from '@floating-ui/react';
import { useEffect, useEffectEvent, useId, useLayoutEffect } from 'react';
import type { KeyboardEvent, RefObject } from 'react';
import { createPortal } from 'react-dom';
import type { EditState } from './useEditing';
import type { Viewport } from './useViewport';

/** Whether an element belongs to the panel: the lists and calendars that it opens are rendered elsewhere on the page. */
const belongs = (target: EventTarget | null, panel: HTMLElement | null): boolean =>
  target instanceof Element &&
  (panel?.contains(target) === true || target.closest('[data-editor-part], .MuiPopper-root, .MuiPopover-root, .MuiDialog-root') !== null);

const edge = 8;
/** Covers its cell, and opens upwards where there is more space. */
const overCell: Partial<UseFloatingOptions> = {
  placement: 'bottom-start',
  strategy: 'fixed',
  transform: false,
  whileElementsMounted: autoUpdate,
  middleware: [
    offset(({ rects }) => -rects.reference.height),
    flip({ padding: edge, crossAxis: false }),
    shift({ padding: edge }),
    size({
      padding: edge,
      apply: ({ elements, rects, availableHeight }) => {
        const width = Math.min(Math.max(rects.reference.width, 280), innerWidth - 2 * edge);
        Object.assign(elements.floating.style, { width: `${String(width)}px`, maxHeight: `${String(Math.max(0, availableHeight))}px` });
      },
    }),
  ],
};

/** Keeps the panel at its cell, which is a virtual element: a box in window coordinates that moves with the list. */
function useEditorPlace({ editing }: EditState, viewport: Viewport, scroller: RefObject<HTMLElement | null>) {
  const boxOf = useEffectEvent((): DOMRect => {
    const box = editing && viewport.boxOf(editing.cell);
    const frame = scroller.current?.getBoundingClientRect();
    if (!box || !frame) return new DOMRect();
    const top = Math.max(frame.top, Math.min(frame.top + box.top, frame.bottom - box.height));
    return new DOMRect(frame.left + box.left, top, box.width, box.height);
  });
  const { refs, floatingStyles, update } = useFloating({ ...overCell, open: editing?.kind === 'panel' });
  const { setFloating, setPositionReference } = refs;
  useLayoutEffect(() => {
    const cell: VirtualElement = { getBoundingClientRect: () => boxOf() };
    setPositionReference(cell);
  }, [setPositionReference]);
  return { panel: refs.floating, setFloating, floatingStyles, update };
}

/** Focuses the panel, and commits on a press elsewhere. */
function usePanel(edit: EditState, viewport: Viewport, scroller: RefObject<HTMLElement | null>) {
  const { panel, setFloating, floatingStyles, update } = useEditorPlace(edit, viewport, scroller);
  const { editing } = edit;
  const pressOutside = useEffectEvent((event: PointerEvent) => {
    if (!belongs(event.target, panel.current)) edit.commit();
  });
  const { onScroll } = viewport;
  useLayoutEffect(() => {
    // While nothing is edited, scrolling triggers no layout.
    if (!editing) return undefined;
    const onPress = (event: PointerEvent): void => pressOutside(event);
    const unsubscribe = onScroll(update);
    addEventListener('pointerdown', onPress, true);
    return () => {
      unsubscribe();
      removeEventListener('pointerdown', onPress, true);
    };
  }, [onScroll, editing, update]);
  const isOpen = editing?.kind === 'panel';
  useEffect(() => {
    const element = panel.current;
    if (!isOpen || !element || element.contains(document.activeElement)) return;
    const first =
      element.querySelector<HTMLElement>('[data-autofocus]') ?? element.querySelector<HTMLElement>('input, textarea, select, button, [tabindex]') ?? element;
    first.focus({ preventScroll: true });
  }, [isOpen, panel]);
  return { setFloating, floatingStyles };
}

/** Escape cancels; Tab at the last field, or Shift+Tab at the first, commits and moves to the next cell. */
function panelKey(event: KeyboardEvent<HTMLElement>, edit: EditState): void {
  event.stopPropagation();
  // An editor that closes its own list on Escape prevents the default.
  if (event.defaultPrevented || event.nativeEvent.isComposing) return;
  if (event.key === 'Escape') return edit.cancel();
  if (event.key !== 'Tab' || event.target instanceof HTMLTextAreaElement) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input:not(:disabled), textarea, select, button:not(:disabled):not([tabindex="-1"])')];
  const end = event.shiftKey ? stops[0] : stops.at(-1);
  if (stops.length > 1 && document.activeElement !== end) return;
  event.preventDefault();
  edit.commit(event.shiftKey ? 'left' : 'right');
}

type Props = { readonly edit: EditState; readonly viewport: Viewport; readonly scroller: RefObject<HTMLElement | null> };

/** An editor beside its cell. A press elsewhere commits, Escape discards. */
export const EditorPanel = ({ edit, viewport, scroller }: Props) => {
  const errorId = useId();
  const { editing, error } = edit;
  const { setFloating, floatingStyles } = usePanel(edit, viewport, scroller);
  if (editing?.kind !== 'panel') return null;
  const { column, row, typed } = editing;
  const { Editor } = column;
  if (!Editor) return null;
  return createPortal(
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys that its fields leave over
    <div
      ref={setFloating}
      style={floatingStyles}
      role="dialog"
      aria-label={column.title}
      {...(error === null ? {} : { 'aria-describedby': errorId })}
      className="g-panel"
      tabIndex={-1}
      onKeyDown={(event) => panelKey(event, edit)}
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
      {error !== null && (
        <p id={errorId} role="alert" className="g-panel-error">
          {error}
        </p>
      )}
    </div>,
    document.querySelector('dialog[open]') ?? document.body,
  );
};
