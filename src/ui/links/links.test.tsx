import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentProps } from 'react';
import { useForm } from 'react-hook-form';
import { ensureMessages, startI18n } from '@/i18n';
import { LinkAccessFields } from './LinkAccessFields';
import { LinkRow, type PublicLinkFacts } from './LinkRow';
import { changedLinkBody, type LinkInput, initialLinkInput, newLinkBody } from './linkInput';

const now = Date.parse('2026-11-25T08:00:00.000Z');
const linkOf = (change: Partial<PublicLinkFacts> = {}): PublicLinkFacts => ({
  name: 'For the client',
  url: 'http://localhost/view/secret',
  hasPassword: false,
  expiresAt: null,
  stopped: null,
  lastUsedAt: null,
  opened: 0,
  createdBy: 'Lin Xiaoman',
  createdAt: '2026-11-20T08:00:00.000Z',
  ...change,
});

const showRow = (link: PublicLinkFacts, change: Partial<ComponentProps<typeof LinkRow>> = {}) => {
  const calls = { onEdit: jest.fn(), onTakeOver: jest.fn(), onEnd: jest.fn() };
  render(
    <ul>
      <LinkRow link={link} now={now} busy={null} names={{ edit: 'Edit For the client', end: 'End For the client' }} {...calls} {...change} />
    </ul>,
  );
  return { ...calls, person: userEvent.setup() };
};

beforeAll(async () => {
  await startI18n('en');
  await ensureMessages(['form']);
});

test('a link that works can be copied, opened, changed and ended', async () => {
  const { person, onEdit, onEnd } = showRow(linkOf({ hasPassword: true }), { marks: ['Download'], facts: ['Answers: 3'] });
  expect(screen.getByRole('link', { name: 'Open' })).toHaveAttribute('href', 'http://localhost/view/secret');
  expect(screen.getByRole('button', { name: 'Copy link' })).toBeVisible();
  expect(screen.getByText('Password')).toBeVisible();
  expect(screen.getByText('Download')).toBeVisible();
  expect(screen.getByText(/^Answers: 3 · No expiry · Nobody has opened it yet · Created by Lin Xiaoman/)).toBeVisible();
  await person.click(screen.getByRole('button', { name: 'Edit For the client' }));
  await person.click(screen.getByRole('button', { name: 'End For the client' }));
  expect([onEdit, onEnd].map((call) => call.mock.calls.length)).toEqual([1, 1]);
  expect(screen.queryByRole('button', { name: /Take over/ })).not.toBeInTheDocument();
});

test('an expired link can be neither copied nor opened', () => {
  showRow(linkOf({ expiresAt: '2026-11-25T08:00:00.000Z' }), { copies: [{ label: 'Copy embed code', text: '<iframe>' }] });
  expect(screen.getByText('Expired')).toBeVisible();
  expect(screen.queryByRole('link')).not.toBeInTheDocument();
  expect(screen.queryByRole('button', { name: /Copy/ })).not.toBeInTheDocument();
});

test('a link stopped with its maker can be taken over', async () => {
  const { person, onTakeOver } = showRow(linkOf({ stopped: 'account' }));
  expect(screen.getByText('Stopped: the account of its creator is closed')).toBeVisible();
  expect(screen.queryByRole('link')).not.toBeInTheDocument();
  await person.click(screen.getByRole('button', { name: 'Take over the link For the client' }));
  expect(onTakeOver).toHaveBeenCalledTimes(1);
});

/** The fields, and what saving would send. */
function Access({ link, onSave }: { link: PublicLinkFacts | null; onSave: (input: LinkInput) => void }) {
  const form = useForm<LinkInput>({ defaultValues: initialLinkInput(link) });
  return (
    <form onSubmit={(event) => void form.handleSubmit(onSave)(event)}>
      <LinkAccessFields control={form.control} link={link} />
      <button type="submit">Save</button>
    </form>
  );
}

test('a new link gets the chosen expiry and password', async () => {
  const saved: LinkInput[] = [];
  render(<Access link={null} onSave={(input) => saved.push(input)} />);
  const person = userEvent.setup();
  await person.type(screen.getByLabelText(/^Password/), 'tea-2026');
  await person.click(screen.getByRole('button', { name: 'Save' }));
  expect(saved.map(newLinkBody)).toEqual([{ expiresAt: null, password: 'tea-2026' }]);
  expect(screen.queryByRole('checkbox', { name: 'Remove the password' })).not.toBeInTheDocument();
});

test('an unchanged link keeps its expiry, and its password can be removed', async () => {
  const saved: LinkInput[] = [];
  render(<Access link={linkOf({ hasPassword: true, expiresAt: '2026-12-25T08:00:00.000Z' })} onSave={(input) => saved.push(input)} />);
  const person = userEvent.setup();
  await person.click(screen.getByRole('button', { name: 'Save' }));
  await person.click(screen.getByRole('checkbox', { name: 'Remove the password' }));
  await person.click(screen.getByRole('button', { name: 'Save' }));
  expect(saved.map(changedLinkBody)).toEqual([{}, { password: null }]);
});
