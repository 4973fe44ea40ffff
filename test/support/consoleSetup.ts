import '@testing-library/jest-dom';
import { configure } from '@testing-library/react';
import * as React from 'react';

// The first render of a screen loads its parts, and other workers use the same cores; a missing element still fails.
configure({ asyncUtilTimeout: 30_000 });
/*
 * For its warnings, React's development build captures a stack for every created element, for ten thousand elements at a time: a fifth of a test's
 * time. Here that quota always counts as used up. A React version without this counter is unaffected.
 */
const internals: unknown = Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE');
if (internals instanceof Object && 'recentlyCreatedOwnerStacks' in internals)
  Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => 10_000, set() {} });
// The duration of a test says nothing about the console when several programs share two cores.
jest.setTimeout(60_000);

/** Browser APIs that jsdom lacks. A test in the node environment needs none of them. */
function completeBrowser(): void {
  window.matchMedia ??= (query: string) =>
    ({
      matches: false,
      media: query,
      onchange: null,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
      addListener: () => undefined,
      removeListener: () => undefined,
      dispatchEvent: () => false,
    }) satisfies MediaQueryList;
  window.scrollTo = () => undefined;
  // As in the newest browsers: a promise, which an effect must not return.
  Element.prototype.scrollIntoView ??= (): unknown => Promise.resolve();
  // CodeMirror measures text; without a layout nothing has a size.
  Range.prototype.getClientRects ??= () => document.createElement('i').getClientRects();
  Range.prototype.getBoundingClientRect ??= () => new DOMRect();
  globalThis.ResizeObserver ??= class {
    observe(): void {}
    unobserve(): void {}
    disconnect(): void {}
  };
  globalThis.IntersectionObserver ??= class {
    readonly root = null;
    readonly rootMargin = '';
    readonly scrollMargin = '';
    readonly thresholds = [];
    observe(): void {}
    unobserve(): void {}
    disconnect(): void {}
    takeRecords(): IntersectionObserverEntry[] {
      return [];
    }
  } as unknown as typeof IntersectionObserver;
  HTMLDialogElement.prototype.showModal ??= function showModal(this: HTMLDialogElement) {
    this.setAttribute('open', '');
    this.querySelector<HTMLElement>('input, button, a[href]')?.focus();
  };
  HTMLDialogElement.prototype.close ??= function close(this: HTMLDialogElement) {
    this.removeAttribute('open');
    this.dispatchEvent(new Event('close'));
  };
}

if (typeof window !== 'undefined') completeBrowser();
