-- Content tables call Chinese by its script, as sites do: zh-CN (in any letter case) becomes zh-Hans, zh-TW zh-Hant, in definitions, translations, history,
-- checks and imports. A table that has both names of a language keeps them apart: its zh-CN becomes zh-Hans-CN.

CREATE OR REPLACE FUNCTION pg_temp.renamed_key(object jsonb, was text, becomes text) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN object ? was THEN (object - was) || jsonb_build_object(becomes, coalesce(object -> becomes, '{}') || (object -> was)) ELSE object END
$$;

-- Of a change in history: keys are <field>@<language>, and the published state holds translations of its own.
CREATE OR REPLACE FUNCTION pg_temp.renamed_change(change jsonb, was text, becomes text) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(jsonb_object_agg(
    CASE WHEN key LIKE '%@' || was THEN left(key, -length(was)) || becomes ELSE key END,
    CASE WHEN key = '$published' AND jsonb_typeof(value -> 'tr') = 'object'
      THEN jsonb_set(value, '{tr}', pg_temp.renamed_key(value -> 'tr', was, becomes)) ELSE value END), '{}')
  FROM jsonb_each(change)
  WHERE NOT (key LIKE '%@' || becomes AND change ? (left(key, -length(becomes)) || was))
$$;

CREATE OR REPLACE FUNCTION pg_temp.renamed_locales(definition jsonb, was text, becomes text) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN definition -> 'locales' ? was
    THEN jsonb_set(definition, '{locales}', (
      SELECT jsonb_agg(CASE WHEN tag = was THEN becomes ELSE tag END ORDER BY place)
      FROM jsonb_array_elements_text(definition -> 'locales') WITH ORDINALITY AS listed(tag, place)))
    ELSE definition END
$$;

DO $$
DECLARE
  one record;
  was text;
  becomes text;
  present text[];
  place record;
BEGIN
  FOR one IN SELECT id, site_id, locales FROM content_tables LOOP
    FOR was IN SELECT DISTINCT tag FROM unnest(one.locales || ARRAY['zh-CN', 'zh-TW']) AS tag WHERE lower(tag) IN ('zh-cn', 'zh-tw') ORDER BY tag LOOP
      SELECT locales INTO present FROM content_tables WHERE id = one.id;
      becomes := CASE lower(was) WHEN 'zh-cn' THEN 'zh-Hans' ELSE 'zh-Hant' END;
      IF becomes = ANY (present) THEN
        becomes := becomes || upper(substr(was, 3));
      END IF;
      -- Translations of records and published records, and those that a conversion under way has made.
      FOR place IN
        SELECT table_schema, table_name, column_name FROM information_schema.columns
        WHERE table_schema = 's_' || one.site_id AND table_name IN (one.id, 'p_' || substr(one.id, 3))
          AND data_type = 'jsonb' AND (column_name = 'tr' OR column_name LIKE 'v\_%')
      LOOP
        -- Texts of a language of that name that was removed earlier must not come back as the ones of this.
        IF was = ANY (present) THEN
          EXECUTE format('UPDATE %I.%I SET %I = %3$I - $1 WHERE %3$I ? $1', place.table_schema, place.table_name, place.column_name) USING becomes;
        END IF;
        EXECUTE format('UPDATE %I.%I SET %I = pg_temp.renamed_key(%3$I, $1, $2) WHERE %3$I ? $1', place.table_schema, place.table_name, place.column_name)
          USING was, becomes;
      END LOOP;
      IF to_regclass(format('%I.h', 's_' || one.site_id)) IS NOT NULL THEN
        EXECUTE format(
          'UPDATE %I.h SET patch = pg_temp.renamed_change(patch, $1, $2), inverse = pg_temp.renamed_change(inverse, $1, $2)
           WHERE table_id = $3 AND (strpos(patch::text, $1) > 0 OR strpos(inverse::text, $1) > 0)', 's_' || one.site_id)
          USING was, becomes, one.id;
      END IF;
      UPDATE content_changes SET before = pg_temp.renamed_locales(before, was, becomes), after = pg_temp.renamed_locales(after, was, becomes)
        WHERE table_id = one.id AND (before -> 'locales' ? was OR after -> 'locales' ? was);
      UPDATE content_imports SET plan = replace(plan::text, format('"locale": "%s"', was), format('"locale": "%s"', becomes))::jsonb
        WHERE table_id = one.id AND strpos(plan::text, format('"locale": "%s"', was)) > 0;
      UPDATE content_care SET result = replace(replace(result::text, format('"locale": "%s"', was), format('"locale": "%s"', becomes)),
          format('"value": "%s"', was), format('"value": "%s"', becomes))::jsonb
        WHERE table_id = one.id AND strpos(result::text, was) > 0;
      UPDATE content_tables SET locales = array_replace(locales, was, becomes) WHERE id = one.id AND was = ANY (locales);
    END LOOP;
  END LOOP;
  UPDATE content_sites SET revision = revision + 1;
END
$$;
