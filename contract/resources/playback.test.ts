import { playbackOf } from './playback';

test.each([
  ['mp4', 'avc1.64000a', 'mp4a.40.2', 'all'],
  ['mp4', 'avc1.64000a', null, 'all'],
  ['mp4', 'hvc1.1.6.L30.90', 'mp4a.40.2', 'some'],
  ['mp4', 'mp4v', 'mp4a.40.2', 'none'],
  ['webm', 'vp09.00.10.08', 'opus', 'all'],
  ['webm', 'av01.0.00M.08', null, 'some'],
  ['mov', 'avc1.64000a', 'mp4a.40.2', 'some'],
  ['mov', 'apch', null, 'none'],
  ['avi', 'avc1.64000a', null, null],
  ['mp4', null, null, null],
])('%s with %s and %s plays in: %s', (container, videoCodec, audioCodec, playback) => {
  expect(playbackOf({ container, videoCodec, audioCodec, frameRate: null })).toBe(playback);
});
