import { useEffect } from 'react';
import type { RefObject } from 'react';
import type { CaptionUse } from '@contract/resources/terms';
import type { Cue } from '@contract/resources/vtt';

export type ShownTrack = { readonly use: CaptionUse; readonly label: string; readonly language: string; readonly cues: readonly Cue[] };

/** A track of the player; players keep tracks for good, so they are used again. */
function trackAt(video: HTMLVideoElement, at: number, { use, label, language }: ShownTrack): TextTrack {
  const existing = video.textTracks[at];
  return existing?.kind === use && existing.language === language && existing.label === label ? existing : video.addTextTrack(use, label, language);
}

function showTracks(video: HTMLVideoElement, tracks: readonly ShownTrack[]): void {
  const used = tracks.map((source, at) => {
    const track = trackAt(video, at, source);
    track.mode = at === 0 && source.use !== 'chapters' ? 'showing' : 'hidden';
    // The list changes with every cue that is removed.
    const old = Array.from(track.cues ?? []);
    for (const cue of old) track.removeCue(cue);
    for (const { start, end, text } of source.cues) track.addCue(new VTTCue(start / 1000, end / 1000, text));
    return track;
  });
  for (const track of video.textTracks) if (!used.includes(track)) track.mode = 'disabled';
}

/** Shows captions on a player without an address: what is being edited, or stored. The first one is visible; readers choose another in the player. */
export function useTracks(player: RefObject<HTMLVideoElement | null>, tracks: readonly ShownTrack[]): void {
  useEffect(() => {
    if (player.current && typeof VTTCue !== 'undefined') showTracks(player.current, tracks);
  }, [player, tracks]);
}
