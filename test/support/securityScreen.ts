import { screen, waitFor, within } from '@testing-library/react';
import type { Passkey, Security } from '@contract/account/factors';
import type { User } from '@contract/session/schemas';
import { security, user } from './factories';
import type { Answer } from './fakeServer';
import { renderApp } from './renderApp';

/** The security tab of the account centre, for the tests of its parts: `open` renders it, and `app` is the latest rendering. */

export const path = '/account/center/account_center?tab=security';
export const state = 'GET /api/acc/security';
export const codes = Array.from({ length: 10 }, (_one, index) => `ABCD-EFGH-2345-67${String.fromCharCode(65 + index)}J`);
export const phone: Passkey = {
  id: 'a4f3a3a0-7d7e-4c0b-9d3b-0b9a4c1d2e3f',
  name: 'iPhone',
  createdAt: '2026-11-01T08:00:00.000Z',
  lastUsedAt: null,
  synced: true,
};
export const offer: Answer = { data: { secret: 'ABCDEFGHIJKLMNOP', uri: 'otpauth://totp/x', qr: 'data:image/svg+xml;base64,PHN2Zy8+' } };
export const protectedBy = (change: Partial<Security>): Answer => ({ data: security(change) });

// oxlint-disable-next-line import/no-mutable-exports -- what was drawn last
export let app: Awaited<ReturnType<typeof renderApp>>;

let takeBack: () => void = () => undefined;
/** Registers the restoration of a replaced browser API at the end of the test. */
export const takenBack = (how: () => void): void => {
  takeBack = how;
};
/** Renders any address of the console and sets `app`. */
export async function draw(...how: Parameters<typeof renderApp>): Promise<void> {
  const [at, options] = how;
  app = await renderApp(at, { messages: ['security', 'form'], ...options });
}
export async function open(answers: Record<string, Answer> = {}, { at = path, me = {} }: { at?: string; me?: Partial<User> } = {}) {
  await draw(at, { answers: { [state]: protectedBy({}), [`GET /api/acc/user/${user().id}`]: { data: user(me) }, ...answers } });
  await screen.findByRole('heading', { level: 2, name: 'Two-step verification', hidden: true });
}
afterEach(() => {
  app.end();
  takeBack();
  takeBack = () => undefined;
  sessionStorage.clear();
  localStorage.clear();
});

export const inDialog = async (name: string) => within(await screen.findByRole('dialog', { name }));
export async function rewrite(box: HTMLElement, to: string) {
  await app.person.clear(box);
  await app.person.type(box, to);
}
/** Ticks that the codes are saved, the only way to close their dialog. */
export async function keepCodes() {
  const dialog = await inDialog('Keep your recovery codes');
  for (const code of codes) expect(dialog.getByText(code)).toBeVisible();
  expect(dialog.getByRole('button', { name: 'Done' })).toBeDisabled();
  await app.person.keyboard('{Escape}');
  expect(screen.getByRole('dialog', { name: 'Keep your recovery codes' })).toBeVisible();
  await app.person.click(dialog.getByRole('checkbox', { name: 'I have stored the recovery codes' }));
  await app.person.click(dialog.getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
}
export const nowhereKept = (secret: string) => {
  expect(JSON.stringify(app.store.getState())).not.toContain(secret);
  for (const storage of [sessionStorage, localStorage]) expect(JSON.stringify(Object.entries(storage))).not.toContain(secret);
};
