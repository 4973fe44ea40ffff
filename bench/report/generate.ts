import type { ClickHouse } from '../../server/stores/clickhouse/types';

/** Mean page views of a generated visit (the distribution below, summed). */
const VIEWS_PER_VISIT = 2.75;

export type Generated = { readonly siteId: string; readonly visits: number; readonly views: number };

/**
 * Fills `visits` of one site inside the store: about `views` page views over `days` days before `end` (epoch ms), with a daily rhythm, returning visitors, and
 * the cardinalities of a mid-size real site: 20 000 paths and 5 000 search terms (Zipf), 300 site searches, an event on every twentieth page view, 60
 * countries, 34 provinces, 300 cities, 5 % suspected and 8 % certain bots. Seeded: the same call generates the same rows.
 */
export async function generateVisits(ch: ClickHouse, siteId: string, views: number, days: number, end: number): Promise<Generated> {
  const visits = Math.round(views / VIEWS_PER_VISIT);
  const chunk = 250_000;
  for (let from = 0; from < visits; from += chunk) {
    await ch.command(generateSql, {
      params: { site: siteId, from, count: Math.min(chunk, visits - from), visits, days, end },
      settings: { max_execution_time: 600, max_block_size: 50_000 },
    });
  }
  const [totals] = await ch.query<{ visits: number; views: number }>(
    'SELECT toFloat64(count()) AS visits, toFloat64(sum(length(view_at))) AS views FROM visits FINAL WHERE site_id = {site:String}',
    { params: { site: siteId } },
  );
  return { siteId, visits: totals?.visits ?? 0, views: totals?.views ?? 0 };
}

/** `h(k)`: a number in [0, 1) for visit n and purpose k; `zipf(k, n)`: rank 1…n, log-uniform. */
const generateSql = `
INSERT INTO visits
WITH
  (k -> cityHash64(n, k) / 18446744073709551616.) AS h,
  ((k, size) -> toUInt32(floor(exp(h(k) * log(size + 1))))) AS zipf,
  -- A day of people: quiet at four in the morning, busy from nine to eleven at night (UTC+8).
  [0.9,0.5,0.3,0.2,0.2,0.3,0.6,1.0,1.5,2.0,2.1,1.9,1.7,1.8,2.0,2.0,1.9,1.7,1.6,1.9,2.2,2.3,2.0,1.4] AS rhythm,
  arrayCumSum(rhythm) AS cumulated,
  h('hour') * cumulated[24] AS drawn,
  arrayFirstIndex(x -> x > drawn, cumulated) - 1 AS hour_cst,
  toUInt32(floor(n * {days:UInt32} / {visits:UInt32})) AS day_index,
  {end:Int64} - (toInt64({days:UInt32}) - day_index) * 86400000 + ((hour_cst + 16) % 24) * 3600000 + toInt64(h('minute') * 3600000) AS start_ms,
  multiIf(h('pv') < 0.46, 1, h('pv') < 0.66, 2, h('pv') < 0.78, 3, h('pv') < 0.86, 4, h('pv') < 0.95, 6, 12) AS views,
  h('source') AS source,
  multiIf(source < 0.34, 'direct', source < 0.68, 'search', source < 0.82, 'external', source < 0.92, 'social', source < 0.96, 'ai', source < 0.985, 'ad', 'email') AS type,
  multiIf(type = 'search', ['baidu','sogou','360','shenma','bing','google','toutiao','yandex'][zipf('engine', 8)], type = 'direct', '', concat('site', toString(zipf('site', 800)), '.example')) AS name,
  h('country') < 0.82 AS inside,
  arrayMap(i -> concat('/', ['news','docs','product','blog','help'][1 + cityHash64(n, i) % 5], '/', toString(toUInt32(floor(exp((cityHash64(n, i, 'path') / 18446744073709551616.) * log(4001)))))), range(views)) AS paths,
  arrayMap(i -> toUInt32(5000 + cityHash64(n, i, 'dwell') % 90000), range(views)) AS dwell,
  arrayMap(i -> toUInt32(arraySum(arraySlice(dwell, 1, i))), range(views)) AS offsets,
  arrayFilter(i -> cityHash64(n, i, 'event') % 20 = 0, arrayEnumerate(dwell)) AS happened,
  toUInt64(if(h('known') < 0.35, cityHash64('visitor', toUInt32(h('who') * {visits:UInt32} * 0.4)), cityHash64('visitor', n, 'once'))) AS visitor
SELECT
  {site:String}, cityHash64(n, 'visit'), 1, 0, visitor,
  fromUnixTimestamp64Milli(start_ms, 'UTC'), fromUnixTimestamp64Milli(start_ms + arraySum(dwell), 'UTC'), fromUnixTimestamp64Milli(start_ms + arraySum(dwell) + 300, 'UTC'),
  views, length(arrayDistinct(paths)), toUInt16(h('events') * 3), toUInt32(arraySum(dwell) * 0.7), views = 1 AND h('events') < 0.33, h('known') >= 0.35, 1 + toUInt32(h('visitNo') * 9), toDateTime64(0, 3, 'UTC'),
  'www.example.com', paths[1], paths[-1],
  type, name, if(type = 'search' AND h('kw') < 0.12, concat('词', toString(zipf('word', 5000))), ''), 'referrer', if(type = 'direct', '', concat(name, '.com')), '/', '',
  '', '', if(type = 'ad', concat('campaign', toString(zipf('campaign', 30))), ''), '', '', '',
  multiIf(h('device') < 0.62, 'mobile', h('device') < 0.97, 'desktop', 'tablet'), ['Android','iOS','Windows','macOS','HarmonyOS','Linux'][zipf('os', 6)], toString(zipf('osv', 12)),
  ['Chrome','WeChat','Safari','Edge','QQBrowser','UC','Quark','360','Firefox','Huawei'][zipf('browser', 10)], toString(100 + zipf('bv', 40)),
  [390,1920,1440,412,393,1536,2560][zipf('screen', 7)], [844,1080,900,915,873,864,1440][zipf('screen', 7)], ['zh-CN','en-US','zh-TW','ja-JP','de-DE'][zipf('lang', 5)],
  if(inside, 'CN', ['US','HK','TW','SG','JP','DE','GB','FR','KR','MY','TH','VN','AU','CA','NL','RU','IN','BR','ID','PH'][zipf('abroad', 20)]),
  if(inside, concat('CN-', ['GD','BJ','SH','ZJ','JS','SD','SC','HB','FJ','HN','HA','HE','AH','LN','SN','CQ','JX','GX','YN','TJ','SX','HL','JL','GZ','NM','XJ','GS','HI','NX','QH','XZ','HK','MO','TW'][zipf('province', 34)]), ''),
  if(inside, concat('city', toString(zipf('city', 300))), ''), ['China Telecom','China Unicom','China Mobile',''][zipf('isp', 4)],
  cityHash64('ip', if(h('nat') < 0.1, n % 5000, visitor)), '203.0.113.x',
  multiIf(h('bot') < 0.87, toUInt8(h('score') * 30), h('bot') < 0.92, toUInt8(50 + h('score') * 39), toUInt8(90 + h('score') * 10)), [],
  arrayMap(i -> cityHash64(n, i, 'view'), range(views)), offsets, arrayMap(i -> 'www.example.com', range(views)), paths, arrayMap(p -> concat('标题 ', p), paths),
  arrayMap(d -> toUInt32(d * 0.7), dwell), arrayMap(i -> toUInt8(cityHash64(n, i, 'scroll') % 101), range(views)), arrayMap(i -> 0, range(views)),
  'script', arrayMap(i -> if(cityHash64(n, i, 'search') % 50 = 0, concat('词', toString(cityHash64(n, i, 'term') % 300)), ''), range(views)),
  arrayMap(i -> toUInt32(offsets[i] / 2), happened), arrayMap(i -> ['signup','download_sample','$outbound','$download'][1 + cityHash64(n, i, 'name') % 4], happened),
  arrayMap(i -> concat('{"url":"https://example.org/', toString(cityHash64(n, i, 'url') % 200), '"}'), happened), arrayMap(i -> toUInt16(i), happened)
FROM (SELECT number + {from:UInt32} AS n FROM numbers({count:UInt32}))`;
