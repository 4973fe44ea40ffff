import '@testing-library/jest-dom';
import { configure } from '@testing-library/react';
import * as React from 'react';

// The first look at a screen loads its parts, and other workers want the cores too; what never comes fails as surely.
configure({ asyncUtilTimeout: 15_000 });
/*
 * React for development keeps the stack of whoever makes an element, of ten thousand elements at a time, for its warnings: a fifth of the time
 * of a test. Here as many have always been kept. A React without this counter does as it likes.
 */
const internals: unknown = Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE');
if (internals instanceof Object && 'recentlyCreatedOwnerStacks' in internals)
  Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => 10_000, set() {} });
// How long a test may take says nothing about the console where several programs share two cores.
jest.setTimeout(60_000);

/** What browsers have and jsdom has not. A test that asks for the node environment needs none of it. */
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
  // Readers of these tests prefer Chinese; a test about something else says so.
  Object.defineProperty(navigator, 'languages', { value: ['zh-CN', 'zh'], configurable: true });
  // As the newest browsers do: a promise, which an effect must not return.
  Element.prototype.scrollIntoView ??= (): unknown => Promise.resolve();
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
