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

/** Shows captions on a player without an address: what is being edited, or stored. The first one is shown; readers choose another in the player. */
export function useTracks(player: RefObject<HTMLVideoElement | null>, tracks: readonly ShownTrack[]): void {
  useEffect(() => {
    const video = player.current;
    if (!video || typeof VTTCue === 'undefined') return;
    const used = tracks.map((shown, at) => {
      const track = trackAt(video, at, shown);
      track.mode = at === 0 && shown.use !== 'chapters' ? 'showing' : 'hidden';
      for (const cue of [...(track.cues ?? [])]) track.removeCue(cue);
      for (const { start, end, text } of shown.cues) track.addCue(new VTTCue(start / 1000, end / 1000, text));
      return track;
    });
    for (const track of video.textTracks) if (!used.includes(track)) track.mode = 'disabled';
  }, [player, tracks]);
}
