ALTER TABLE "shares" ADD COLUMN "dimensions" text[];--> statement-breakpoint
-- What each screen showed before this step; the overview had not yet lists of campaigns, exits, devices, browsers and systems.
UPDATE "shares" SET "dimensions" = ARRAY(
  SELECT 'newReturning'
  UNION
  SELECT unnest(shown.dimensions)
  FROM (VALUES
    ('overview', ARRAY['sourceName', 'sourceType', 'keyword', 'entryPath', 'path', 'country', 'province', 'city']),
    ('source', ARRAY['sourceType', 'sourceName', 'campaign']),
    ('engine', ARRAY['sourceType', 'sourceName', 'keyword', 'entryPath']),
    ('keyword', ARRAY['sourceType', 'sourceName', 'keyword', 'keywordFrom', 'entryPath']),
    ('external/so', ARRAY['sourceType', 'referrerHost', 'referrerPath', 'referrerUrl']),
    ('external/sp', ARRAY['sourceType', 'referrerHost', 'referrerPath', 'referrerUrl']),
    ('external/url', ARRAY['sourceType', 'referrerHost', 'referrerPath', 'referrerUrl']),
    ('entry', ARRAY['entryPath']),
    ('path', ARRAY['path', 'title', 'host', 'directory', 'entryPath', 'exitPath']),
    ('loc/provinces', ARRAY['country', 'province', 'city']),
    ('loc/cities', ARRAY['country', 'province', 'city']),
    ('loc/countries', ARRAY['country', 'province', 'city']),
    ('device', ARRAY['deviceType', 'os', 'osVersion', 'browser', 'browserVersion', 'screen', 'language', 'isp']),
    ('visitor', ARRAY['sourceType', 'sourceName', 'path', 'entryPath']),
    ('character/pv', ARRAY['pages', 'distinctPages', 'duration', 'engagedTime', 'ago', 'visitNumber']),
    ('character/upv', ARRAY['pages', 'distinctPages', 'duration', 'engagedTime', 'ago', 'visitNumber']),
    ('character/ssr', ARRAY['pages', 'distinctPages', 'duration', 'engagedTime', 'ago', 'visitNumber']),
    ('character/ago', ARRAY['pages', 'distinctPages', 'duration', 'engagedTime', 'ago', 'visitNumber']),
    ('character/fr', ARRAY['pages', 'distinctPages', 'duration', 'engagedTime', 'ago', 'visitNumber']),
    ('campaign', ARRAY['utmSource', 'utmMedium', 'campaign', 'utmTerm', 'utmContent', 'clickId'])
  ) AS shown (screen, dimensions)
  WHERE shown.screen = ANY ("shares"."screens")
);--> statement-breakpoint
ALTER TABLE "shares" ALTER COLUMN "dimensions" SET NOT NULL;
