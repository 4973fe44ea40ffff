import { screen, waitFor, within } from '@testing-library/react';
import { resource, site } from '../../../../test/support/factories';
import type { Answer } from '../../../../test/support/fakeServer';
import { renderApp } from '../../../../test/support/renderApp';

const base = `/api/site/${site().id}/resource`;
let app: Awaited<ReturnType<typeof renderApp>>;
afterEach(() => app.end());

async function open(screenName: string, item: ReturnType<typeof resource>, answers: Record<string, Answer> = {}) {
  app = await renderApp(`/site/${site().id}/resource/${screenName}?item=${item.id}`, {
    answers: {
      [`GET ${base}/items`]: { data: { rows: [item], after: null, total: 1 } },
      [`GET ${base}/items/${item.id}`]: { data: item },
      [`GET ${base}/folders`]: { data: [] },
      [`GET ${base}/tags`]: { data: [] },
      [`GET ${base}/items/${item.id}/conversions`]: { data: { isAvailable: true, files: [], jobId: null } },
      ...answers,
    },
    messages: ['form', 'chart'],
  });
  return screen.findByRole('dialog', { name: item.name });
}

const attachment = resource({ kind: 'attachment', name: 'tea.csv', contentType: 'text/plain', width: null, height: null });

test('an attachment is previewed in a frame that may do nothing', async () => {
  const drawer = await open('attachments', attachment);
  const frame = await within(drawer).findByTitle('Preview of tea.csv');
  expect(frame).toHaveAttribute('sandbox', '');
  expect(frame).toHaveAttribute('src', expect.stringContaining(`/items/${attachment.id}/preview?scheme=light`));
});

const video = resource({
  kind: 'video',
  name: 'tea.mp4',
  contentType: 'video/mp4',
  durationMs: 5000,
  media: { container: 'mp4', videoCodec: 'hvc1.1.6.L30.90', audioCodec: 'mp4a.40.2', frameRate: 25 },
});
const item = `${base}/items/${video.id}`;
const caption = {
  language: 'en',
  use: 'subtitles',
  label: 'English',
  source: 'WEBVTT\n\n00:00:00.000 --> 00:00:02.000\ntea\n',
  revision: 3,
  updatedAt: video.updatedAt,
};

test('a video shows its codecs, where it plays, and code with its captions', async () => {
  const drawer = await open('videos', video, { [`GET ${item}/captions`]: { data: [caption] } });
  expect(await within(drawer).findByText('hvc1.1.6.L30.90, mp4a.40.2')).toBeVisible();
  expect(await within(drawer).findByText(/^Not every browser plays this format/)).toBeVisible();
  expect(await within(drawer).findByText('English')).toBeVisible();
  expect(within(drawer).getByRole('button', { name: 'Copy HTML' })).toBeVisible();
});

test('a video is converted for all browsers, where the server can', async () => {
  const conversions = { isAvailable: true, files: [{ format: 'webm', bytes: 2048 }], jobId: null };
  const jobId = '0198c0de-0000-7000-8000-0000000000c1';
  const drawer = await open('videos', video, {
    [`GET ${item}/captions`]: { data: [] },
    [`GET ${item}/conversions`]: { data: conversions },
    [`POST ${item}/conversions`]: { data: { jobId } },
  });
  expect(await within(drawer).findByText('WebM, 720p')).toBeVisible();
  await app.person.click(within(drawer).getByRole('button', { name: 'Convert to MP4, 720p' }));
  expect(await within(drawer).findByRole('progressbar', { name: 'Converting the video' })).toBeVisible();
  expect(app.server.calls(`POST ${item}/conversions`).map(({ body }) => body)).toEqual([{ format: 'mp4' }]);
});

const unplayable = { ...video, media: { container: 'matroska', videoCodec: 'hvc1.1.6.L30.90', audioCodec: null, frameRate: 25 } };

test('a video that no browser plays is to be converted', async () => {
  const drawer = await open('videos', unplayable, { [`GET ${item}/captions`]: { data: [] } });
  expect(await within(drawer).findByText('Browsers do not play this format. Convert it below.')).toBeVisible();
});

test('nothing is said of the format of a video that was converted', async () => {
  const conversions = { isAvailable: true, files: [{ format: 'mp4', bytes: 2048 }], jobId: null };
  const drawer = await open('videos', unplayable, { [`GET ${item}/captions`]: { data: [] }, [`GET ${item}/conversions`]: { data: conversions } });
  expect(await within(drawer).findByText('MP4, 720p')).toBeVisible();
  expect(within(drawer).queryByText(/^Browsers do not play/)).toBeNull();
});

test('without ffmpeg a note says what is missing', async () => {
  const drawer = await open('videos', video, {
    [`GET ${item}/captions`]: { data: [] },
    [`GET ${item}/conversions`]: { data: { isAvailable: false, files: [], jobId: null } },
  });
  expect(await within(drawer).findByText(/when ffmpeg is installed/)).toBeVisible();
});

test('captions are corrected, divided and saved over their revision', async () => {
  const drawer = await open('videos', video, {
    [`GET ${item}/captions`]: { data: [caption] },
    [`PUT ${item}/captions/en/subtitles`]: { data: { ...caption, revision: 4 } },
  });
  await app.person.click(await within(drawer).findByRole('button', { name: 'Edit English' }));
  const editor = await screen.findByRole('dialog', { name: 'Edit “English”' });
  const save = within(editor).getByRole('button', { name: 'Save' });
  const end = within(editor).getByRole('textbox', { name: 'End of cue 1' });
  await app.person.clear(end);
  await app.person.type(end, '0:00.0');
  expect(within(editor).getByText('The end must be after the start')).toBeVisible();
  expect(save).toBeDisabled();
  await app.person.clear(end);
  await app.person.type(end, '0:04');
  await app.person.click(within(editor).getByRole('button', { name: 'Split cue 1' }));
  await app.person.type(within(editor).getByRole('textbox', { name: 'Text of cue 2' }), 'cup');
  await app.person.click(save);
  await waitFor(() =>
    expect(app.server.calls(`PUT ${item}/captions/en/subtitles`)[0]?.body).toEqual({
      label: 'English',
      source: 'WEBVTT\n\n00:00:00.000 --> 00:00:02.000\ntea\n\n00:00:02.000 --> 00:00:04.000\ncup\n',
      revision: 3,
    }),
  );
});

test('an imported file says which lines were left out', async () => {
  const drawer = await open('videos', video, { [`GET ${item}/captions`]: { data: [] } });
  await app.person.click(await within(drawer).findByRole('button', { name: 'Add subtitles' }));
  const editor = await screen.findByRole('dialog', { name: 'Add subtitles' });
  const srt = '1\n00:00:01,000 --> 00:00:02,000\ntea\n\n2\n00:00:04,000 --> 00:00:03,000\nlate\n';
  await app.person.upload(within(editor).getByLabelText('Import file'), new File([srt], 'tea.srt'));
  expect(await within(editor).findByText('The end in line 6 must be after the start.')).toBeVisible();
  expect(within(editor).getByRole('textbox', { name: 'Text of cue 1' })).toHaveValue('tea');
});
