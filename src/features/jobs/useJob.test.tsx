import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Provider } from 'react-redux';
import type { Job } from '@contract/jobs/schemas';
import { makeStore } from '@/store';
import { fakeServer } from '../../../test/support/fakeServer';
import { jobsApi } from './jobsApi';
import { useJob } from './useJob';

const id = '00000000-0000-4000-8000-000000000001';
const jobOf = (change: Partial<Job> = {}): Job => ({
  id,
  kind: 'tables.check',
  siteId: 'abcdefghijkl',
  label: 'Articles',
  state: 'running',
  done: 2,
  total: 10,
  error: null,
  cancellable: true,
  createdAt: '2026-11-25T08:00:00.000Z',
  startedAt: '2026-11-25T08:00:00.000Z',
  finishedAt: null,
  ...change,
});

function Screen({ jobId, onEnd }: { jobId: string; onEnd: (job: Job) => void }) {
  const { job, stop, stopping } = useJob(jobId, onEnd);
  return (
    <>
      <p>{job === undefined ? 'Unknown' : `${job.state} ${String(job.done)}`}</p>
      <button type="button" disabled={stopping} onClick={() => void stop()}>
        Stop
      </button>
    </>
  );
}

let server: ReturnType<typeof fakeServer>;
afterEach(() => server.restore());

const show = (cancelled: Job) => {
  let list: Job[] = [];
  server = fakeServer({ 'GET /api/core/jobs': () => ({ data: list }), [`POST /api/core/jobs/${id}/cancel`]: { data: cancelled } });
  const store = makeStore();
  const ended: Job[] = [];
  const screenOf = (jobId: string) => (
    <Provider store={store}>
      <Screen jobId={jobId} onEnd={(job) => ended.push(job)} />
    </Provider>
  );
  const { rerender } = render(screenOf(id));
  /** The list of jobs arrives. */
  const arrive = async (jobs: Job[]) => {
    list = jobs;
    await act(async () => {
      await store.dispatch(jobsApi.endpoints.jobs.initiate(undefined, { forceRefetch: true }));
    });
  };
  return { ended, arrive, follow: (jobId: string) => rerender(screenOf(jobId)), person: userEvent.setup() };
};

test('a job is followed until it ends, which is reported once', async () => {
  const { ended, arrive } = show(jobOf());
  expect(screen.getByText('Unknown')).toBeVisible();
  await arrive([jobOf()]);
  expect(await screen.findByText('running 2')).toBeVisible();
  expect(ended).toEqual([]);
  const done = jobOf({ state: 'done', done: 10 });
  await arrive([done]);
  await arrive([done]);
  expect(await screen.findByText('done 10')).toBeVisible();
  expect(ended).toEqual([done]);
});

test('the end of the next job is reported too', async () => {
  const { ended, arrive, follow } = show(jobOf());
  const [first, second] = [jobOf({ state: 'done' }), jobOf({ id: id.replace(/1$/, '2'), state: 'failed' })];
  await arrive([first, second]);
  await waitFor(() => expect(ended).toEqual([first]));
  follow(second.id);
  expect(ended).toEqual([first, second]);
});

test('a job that was asked to stop cannot be asked again', async () => {
  const { ended, arrive, person } = show(jobOf());
  await arrive([jobOf()]);
  await person.click(screen.getByRole('button', { name: 'Stop' }));
  await waitFor(() => expect(server.calls(`POST /api/core/jobs/${id}/cancel`)).toHaveLength(1));
  expect(screen.getByRole('button', { name: 'Stop' })).toBeDisabled();
  await arrive([jobOf({ state: 'cancelled' })]);
  expect(await screen.findByText('cancelled 2')).toBeVisible();
  expect(ended.map(({ state }) => state)).toEqual(['cancelled']);
});
