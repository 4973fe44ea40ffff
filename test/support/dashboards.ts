import type { Cards } from '../../contract/dashboard/schemas';

const at = '2026-11-20T06:30:00.000Z';
const compared = (now: number, yesterday: number, lastWeek: number) => ({ now, yesterday, lastWeek });

/** All cards of a dashboard, as an administrator gets them. */
export const dashboardCards = (change: Partial<Cards> = {}): { at: string; timeZone: string; cards: Cards } => ({
  at,
  timeZone: 'Asia/Shanghai',
  cards: {
    attention: { state: 'empty', at, data: { items: [], more: 0, unread: [] } },
    setup: { state: 'empty', at, data: { steps: [{ id: 'receiving', done: true }], hidden: false } },
    live: {
      state: 'ok',
      at,
      data: {
        online: 3,
        perMinute: Array.from({ length: 30 }, (_, minute) => ({ at: Date.parse(at) - (29 - minute) * 60_000, views: minute % 3 })),
        pages: [{ path: '/tea', visitors: 2 }],
      },
    },
    today: {
      state: 'ok',
      at,
      data: {
        day: '2026-11-20',
        at: Date.parse(at),
        early: false,
        visits: compared(450, 360, 420),
        figures: {
          visitors: compared(400, 320, 410),
          views: compared(900, 700, 910),
          bounceRate: compared(0.4, 0.4, 0.41),
          avgDuration: compared(120, 110, 100),
          enquiries: null,
        },
        hours: [
          { label: '13:00', now: 40, yesterday: 30, open: false },
          { label: '14:00', now: 20, yesterday: 35, open: true },
          { label: '15:00', now: null, yesterday: 30, open: false },
        ],
        notes: [{ index: 1, time: '14:05', kind: 'outage', text: '', values: {} }],
      },
    },
    top: {
      state: 'ok',
      at,
      data: {
        pages: [{ key: '/tea', now: 200, before: 100, share: 0.5 }],
        sources: [{ key: '', now: 90, before: 100, share: 0.4 }],
        compared: true,
      },
    },
    vitals: { state: 'ok', at, data: { scores: [{ metric: 'lcp', n: 12, p75: 2100, rating: null, good: 10, needs: 1, poor: 1 }], worst: null } },
    search: { state: 'empty', at, data: { crawl: null, crawlers: null } },
    support: { state: 'empty', at, data: { unread: 0, waiting: 0, waitingSince: null, today: 0, agentsOnline: 0, rating: null, ratings: 0 } },
    hostnames: { state: 'empty', at, data: { rows: [], more: 0, filings: { icp: null, mps: null, footer: null } } },
    content: { state: 'ok', at, data: { drafts: 2, more: false, parts: 0, scheduled: [], last: null, missing: [] } },
    capacity: { state: 'ok', at, data: { usedBytes: 1000, maxBytes: 10_000, pages: 12, hits: { month: 10, before: 8, lastMonth: 20 } } },
    activity: { state: 'empty', at, data: { rows: [] } },
    ...change,
  },
});
