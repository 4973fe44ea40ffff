import { useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { tinykeys } from 'tinykeys';
import { fill, flatTree } from '../paths';
import type { FlatNode } from '../paths';
import { allowed } from '../railModel';
import { useRights } from '../useRights';
import { useTrail } from '../useTrail';

/** Not while typing, in a menu, or in a dialog. */
const busy = (event: KeyboardEvent): boolean => {
  const at = event.target;
  return (
    event.defaultPrevented ||
    (at instanceof HTMLElement &&
      (at.isContentEditable ||
        ['INPUT', 'TEXTAREA', 'SELECT'].includes(at.tagName) ||
        at.closest('dialog, [role="dialog"], [role="menu"], [role="listbox"]') !== null))
  );
};

/** Shortcuts of the frame: the palette, the help, the page's search field, and the `g` sequences of the route tree. */
export function useShortcuts({ onPalette, onHelp }: { onPalette: () => void; onHelp: () => void }): void {
  const navigate = useNavigate();
  const { params } = useTrail();
  const palette = useEffectEvent(onPalette);
  const help = useEffectEvent(onHelp);
  const rights = useRights(params['siteId']);
  const go = useEffectEvent(({ path, trail }: FlatNode) => {
    const to = fill(path, params);
    if (to !== null && allowed(trail, rights)) void navigate(to);
  });
  useEffect(() => {
    const quiet = (run: () => void) => (event: KeyboardEvent) => {
      if (busy(event)) return;
      event.preventDefault();
      run();
    };
    const sequences = flatTree.flatMap((flat) => (flat.node.nav?.shortcut === undefined ? [] : [[flat.node.nav.shortcut, quiet(() => go(flat))] as const]));
    return tinykeys(window, {
      '$mod+k': (event) => {
        event.preventDefault();
        palette();
      },
      // With Shift on most keyboard layouts, without on some.
      'Shift+?': quiet(() => help()),
      '?': quiet(() => help()),
      '/': quiet(() => document.querySelector<HTMLElement>('main input[type="search"], main [data-search] input')?.focus()),
      ...Object.fromEntries(sequences),
    });
  }, []);
}
