import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SignPage } from '@/sign/SignPage';
import { fakeServer } from './fakeServer';
import type { Answer } from './fakeServer';

/** The sign page at an address; only the server is fake. */
export function openSignPage(path: string, answers: Record<string, Answer> = {}, token: string | null = null) {
  const server = fakeServer({ 'POST /api/acc/sign/setup-state': { data: { needed: false, tokenValid: false, mail: true } }, ...answers });
  /** Addresses that the page navigated to. */
  const gone: string[] = [];
  const reload = jest.fn();
  history.replaceState(null, '', path);
  const view = render(<SignPage place={{ path: location.pathname, token, leave: (address) => gone.push(address), reload }} />);
  return { ...view, server, gone, reload, person: userEvent.setup() };
}

/** Waiting times count down by the clock: it is frozen until mocks are restored, however long rendering takes. */
export const stopClock = (): void => void jest.spyOn(Date, 'now').mockReturnValue(Date.now());
