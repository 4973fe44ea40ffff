import { autoUpdate, flip, offset, shift, size, useDismiss, useFloating, useInteractions } from '@floating-ui/react';
import type { UseFloatingOptions } from '@floating-ui/react';
import { useEffect } from 'react';
import type { ComponentProps, KeyboardEvent, ReactNode, RefObject } from 'react';
import { createPortal } from 'react-dom';
import { Link } from 'react-router-dom';

const focusable = 'a[href], button:not(:disabled), input:not(:disabled), [tabindex]:not([tabindex="-1"])';
const itemsOf = (panel: HTMLElement): HTMLElement[] => [...panel.querySelectorAll<HTMLElement>('[role^="menuitem"]')];

type Props = {
  anchor: HTMLElement;
  onClose: () => void;
  label: string;
  role?: 'menu' | 'dialog';
  align?: 'start' | 'end';
  width?: number;
  children: ReactNode;
};

const edge = 8;
/** Below its button, or above if there is more space, always inside the window. `width` in px. */
const placedAt = (align: 'start' | 'end', width: number): Partial<UseFloatingOptions> => ({
  placement: align === 'start' ? 'bottom-start' : 'bottom-end',
  strategy: 'fixed',
  // A transform would make the panel the containing block of fixed elements inside it.
  transform: false,
  whileElementsMounted: autoUpdate,
  middleware: [
    offset(4),
    flip({ padding: edge, crossAxis: false }),
    shift({ padding: edge }),
    size({
      padding: edge,
      apply: ({ elements, availableHeight }) => {
        Object.assign(elements.floating.style, {
          width: `${String(Math.min(width, innerWidth - 2 * edge))}px`,
          maxHeight: `${String(Math.max(0, availableHeight))}px`,
        });
      },
    }),
  ],
});

/** Moves the focus into a panel when it opens and back to its button when it closes, unless a click moved it elsewhere. */
function useFocusInside(panel: RefObject<HTMLElement | null>, anchor: HTMLElement): void {
  useEffect(() => {
    const element = panel.current;
    const first = element?.querySelector<HTMLElement>('[data-autofocus]') ?? element?.querySelector<HTMLElement>(focusable) ?? element;
    first?.focus({ preventScroll: true });
    return () => {
      if (element?.contains(document.activeElement) || document.activeElement === document.body) anchor.focus({ preventScroll: true });
    };
  }, [panel, anchor]);
}

/**
 * A panel anchored to its button: it takes and returns the focus, Escape and a click outside close it, arrow keys move through a menu, Tab leaves it.
 */
export const Popup = ({ anchor, onClose, label, role = 'dialog', align = 'start', width = 280, children }: Props) => {
  const {
    refs: { floating, setFloating },
    floatingStyles,
    context,
  } = useFloating({
    ...placedAt(align, width),
    open: true,
    elements: { reference: anchor },
    onOpenChange: (open) => {
      if (!open) onClose();
    },
  });
  // Escape is handled at the panel, so that it does not close anything around it.
  const { getFloatingProps } = useInteractions([useDismiss(context, { escapeKey: false, outsidePressEvent: 'pointerdown' })]);
  useFocusInside(floating, anchor);

  const press = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key === 'Escape' || (event.key === 'Tab' && role === 'menu')) {
      event.stopPropagation();
      anchor.focus({ preventScroll: true });
      return onClose();
    }
    if (role !== 'menu') return;
    const items = itemsOf(event.currentTarget);
    const at = items.indexOf(document.activeElement as HTMLElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    items.at(next >= items.length ? 0 : next)?.focus();
  };

  return createPortal(
    <div ref={setFloating} className="popup" role={role} aria-label={label} tabIndex={-1} style={floatingStyles} {...getFloatingProps({ onKeyDown: press })}>
      {children}
    </div>,
    // Rendered near its button: a modal dialog makes everything outside itself inert, and a landmark gives the menu its context.
    anchor.closest('dialog, aside, header, [role="dialog"]') ?? document.body,
  );
};

/** One line of a menu. */
export const MenuRow = ({ className = '', ...props }: ComponentProps<'button'>) => <button type="button" className={`menu-row ${className}`} {...props} />;
export const MenuLink = ({ className = '', ...props }: Omit<ComponentProps<typeof Link>, 'className'> & { readonly className?: string }) => (
  <Link className={`menu-row ${className}`} {...props} />
);
