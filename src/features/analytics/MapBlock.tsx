import MapIcon from '@mui/icons-material/MapOutlined';
import TableIcon from '@mui/icons-material/TableRowsOutlined';
import { Button, IconButton } from '@mui/material';
import { type ReactElement, useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import { publicLinkSecret } from '@/lib/publicLink';
import { href } from '@/routes/paths';
import { Section } from '@/ui/Section';
import { Bone } from '@/ui/skeletons';
import { useReportQuery } from './analyticsApi';
import { BlockState } from './BlockState';
import type { BlockProps, LazyBlock } from './blocks';
import { withFilters } from './filters';
import { Note, PlaceNotes } from './maps/PlaceNotes';
import { PlaceStage } from './maps/PlaceStage';
import { PlaceTable } from './maps/PlaceTable';
import { type MapMeasure, mapMeasures, type PlacesProps, useMapPlaces } from './maps/useMapPlaces';
import { QuietSelect } from './QuietSelect';
import { carried, reportQuery, writeState } from './urlState';
import { useLabels } from './useLabels';

/** Visits by province on a map of China, or by country on a world map; its table has the same data. */
const MapBlock: LazyBlock<'map'> = ({ block, ...props }): ReactElement | null =>
  block.small === true && props.state.by !== null ? null : (
    <PlaceMap key={block.by} {...props} by={block.by} small={block.small === true} card={block.card === true} />
  );

type PlaceMapProps = BlockProps & { readonly by: 'province' | 'country'; readonly small: boolean; readonly card: boolean };

const PlaceMap = ({ site, state, own, change, by, small, card }: PlaceMapProps): ReactElement => {
  const labels = useLabels();
  const { t, format } = labels;
  const measure: MapMeasure = mapMeasures.find((id) => id === state.sort?.id) ?? 'visits';
  const inChina = by === 'province';
  const scoped = useMemo(() => (inChina ? { ...state, filters: withFilters(state.filters, ['country:is:CN']) } : state), [inChina, state]);
  const result = useReportQuery({ siteId: site.id, ...reportQuery(scoped), by, sort: measure, size: 500 });
  const whole = useReportQuery({ siteId: site.id, ...reportQuery({ ...state, filters: own }), compare: 'none' }, { skip: !inChina || card });
  const [table, setTable] = useState(false);
  const title = t(`blocks.map.${by}`);
  const everywhere = whole.currentData?.totals.visits ?? 0;
  const chinese = result.currentData?.totals.visits ?? 0;
  // A card has no space for the note.
  const away = inChina && !card && everywhere > 0 && result.currentData !== undefined ? (everywhere - chinese) / everywhere : 0;
  return (
    <div style={{ marginBottom: 32 }}>
      <Section
        title={card ? <span className="only-read">{title}</span> : title}
        actions={
          <>
            <QuietSelect
              label={t('blocks.map.measure')}
              value={measure}
              options={mapMeasures.map((id) => ({ id, name: labels.measure(id) }))}
              onChange={(id) => change({ sort: { id, dir: 'desc' } }, 'replace')}
            />
            <IconButton
              size="small"
              aria-pressed={table}
              aria-label={t(table ? 'blocks.map.asMap' : 'blocks.map.asTable')}
              title={t(table ? 'blocks.map.asMap' : 'blocks.map.asTable')}
              onClick={() => setTable(!table)}
            >
              {table ? <MapIcon fontSize="small" /> : <TableIcon fontSize="small" />}
            </IconButton>
          </>
        }
      >
        <BlockState name={title} result={result} skeleton={<Bone h={420} style={{ opacity: 0.5, maxWidth: 820 }} />}>
          {(report) => (
            <>
              {(report.rows ?? []).length === 0 ? (
                <Note>{t(`blocks.map.empty.${by}`)}</Note>
              ) : (
                <Places {...{ site, state, own, change, by, measure, report, table, small }} />
              )}
              {away > 0.0005 && (
                <Note>
                  {t('blocks.map.elsewhere', { percent: format.percent(away) })}
                  {publicLinkSecret === null && (
                    <Button
                      size="small"
                      component={Link}
                      to={{
                        pathname: href('site.als.loc.countries', { siteId: site.id }),
                        search: writeState({ ...carried(state), filters: own }, new URLSearchParams()).toString(),
                      }}
                      sx={{ ml: 0.5, py: 0, color: 'info.main' }}
                    >
                      {t('blocks.map.world')}
                    </Button>
                  )}
                </Note>
              )}
            </>
          )}
        </BlockState>
      </Section>
    </div>
  );
};

/** The map, or the table if that is chosen or the outline cannot be loaded. */
const Places = (props: PlacesProps): ReactElement => {
  const { table, small } = props;
  const { t } = useLabels();
  const places = useMapPlaces(props);
  const { outline, failed, retry } = places;
  if (table || failed)
    return (
      <>
        {failed && !table && (
          <Note role="alert">
            {t('blocks.map.failed')}
            <Button size="small" onClick={retry} sx={{ ml: 1 }}>
              {t('blocks.map.retry')}
            </Button>
          </Note>
        )}
        <PlaceTable places={places} />
        {places.undrawn.length === 0 ? null : <PlaceNotes places={places} />}
      </>
    );
  if (outline === null) return <Bone h={small ? 240 : 420} style={{ opacity: 0.5, maxWidth: 820 }} />;
  return <PlaceStage places={places} outline={outline} />;
};

export default MapBlock;
