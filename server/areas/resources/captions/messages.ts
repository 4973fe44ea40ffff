import type { VttProblem } from '../../../../contract/resources/vtt';
import { vttLimits } from '../../../../contract/resources/vtt';
import type { Locale } from '../../../http/access';

/** Why captions are refused. */
export const problemText: Readonly<Record<Locale, Readonly<Record<VttProblem['code'], (line: number) => string>>>> = {
  'zh-CN': {
    header: () => '第 1 行应为 WEBVTT。',
    time: (line) => `第 ${line} 行的时间不正确，例如 00:01.000 --> 00:04.000。`,
    order: (line) => `第 ${line} 行的结束时间必须晚于开始时间。`,
    text: (line) => `第 ${line} 行的字幕没有文字。`,
    stray: (line) => `第 ${line} 行的文字不属于任何一条字幕。`,
    many: () => `字幕不能超过 ${vttLimits.cues} 条。`,
  },
  en: {
    header: () => 'Line 1 must be WEBVTT.',
    time: (line) => `Line ${line} has no valid times, such as 00:01.000 --> 00:04.000.`,
    order: (line) => `The end in line ${line} must be after the start.`,
    text: (line) => `The cue in line ${line} has no text.`,
    stray: (line) => `The text in line ${line} belongs to no cue.`,
    many: () => `There may be at most ${vttLimits.cues} cues.`,
  },
};
