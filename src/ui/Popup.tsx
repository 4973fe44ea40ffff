import { styled } from '@mui/material/styles';
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { Link } from 'react-router-dom';

const Panel = styled('div')({
  position: 'fixed',
  zIndex: 60,
  overflow: 'auto',
  background: 'var(--canvas)',
  border: '1px solid var(--line)',
  borderRadius: 'var(--radius)',
  boxShadow: 'var(--shadow)',
  outline: 'none',
  maxWidth: 'calc(100vw - 16px)',
  ':root[data-scheme="dark"] &': { background: 'var(--n-1)' },
});

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

/**
 * A panel that floats at its button: focus goes in and comes back, Escape and a press outside close it, arrow keys walk through a menu, Tab leaves it.
 */
export const Popup = ({ anchor, onClose, label, role = 'dialog', align = 'start', width = 280, children }: Props) => {
  const panel = useRef<HTMLDivElement>(null);
  const close = useEffectEvent(onClose);

  useLayoutEffect(() => {
    const place = () => {
      const element = panel.current;
      if (!element) return;
      const at = anchor.getBoundingClientRect();
      const room = Math.min(width, innerWidth - 16);
      const left = align === 'start' ? at.left : at.right - room;
      element.style.width = `${String(room)}px`;
      element.style.left = `${String(Math.max(8, Math.min(left, innerWidth - room - 8)))}px`;
      const below = innerHeight - at.bottom - 12;
      const above = at.top - 12;
      const up = below < 200 && above > below;
      element.style.top = up ? '' : `${String(at.bottom + 4)}px`;
      element.style.bottom = up ? `${String(innerHeight - at.top + 4)}px` : '';
      element.style.maxHeight = `${String(up ? above : below)}px`;
    };
    place();
    addEventListener('resize', place);
    return () => removeEventListener('resize', place);
  }, [anchor, align, width]);

  useEffect(() => {
    const element = panel.current;
    const first = element?.querySelector<HTMLElement>('[data-autofocus]') ?? element?.querySelector<HTMLElement>(focusable) ?? element;
    first?.focus({ preventScroll: true });
    const outside = (event: PointerEvent) => {
      if (event.target instanceof Node && !element?.contains(event.target) && !anchor.contains(event.target)) close();
    };
    addEventListener('pointerdown', outside, true);
    return () => {
      removeEventListener('pointerdown', outside, true);
      // Back where it came from, unless the press went somewhere else on purpose.
      if (element?.contains(document.activeElement) || document.activeElement === document.body) anchor.focus({ preventScroll: true });
    };
  }, [anchor]);

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
    <Panel ref={panel} role={role} aria-label={label} tabIndex={-1} onKeyDown={press}>
      {children}
    </Panel>,
    // Beside its button: a modal dialog makes everything outside itself inert, and a landmark tells where the menu belongs.
    anchor.closest('dialog, aside, header') ?? document.body,
  );
};

const row = {
  display: 'flex',
  alignItems: 'center',
  gap: 10,
  width: '100%',
  minHeight: 34,
  padding: '4px 12px',
  border: 0,
  background: 'transparent',
  color: 'inherit',
  textAlign: 'left',
  textDecoration: 'none',
  cursor: 'pointer',
  fontSize: '0.875rem',
  '& > svg': { color: 'var(--ink-2)' },
  '&:hover, &:focus-visible, &[aria-selected="true"]': { background: 'var(--hover)', outline: 'none' },
  '@media (pointer: coarse)': { minHeight: 44 },
} as const;
/** One line of a menu. */
export const MenuRow = styled('button')(row);
export const MenuLink = styled(Link)(row);
