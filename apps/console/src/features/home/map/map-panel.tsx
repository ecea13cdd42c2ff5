import type { HomeSummary } from '@ithings/contract/features/home.ts'
import { createProduct } from '@ithings/contract/features/products.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useState } from 'react'
import { Link } from 'react-router'
import { useLivePolling } from '#api/live.ts'
import { providerApi } from '#kit/map/provider.ts'
import { paths } from '#kit/paths.ts'
import { May } from '#kit/rights.tsx'
import { useMemo } from '#language/use-memo.ts'
import { Loaded } from '../parts/panel.tsx'
import { devicesPath } from '../paths.ts'
import { mapQuery } from '../queries.ts'
import type { Degrees } from './albers.ts'
import { Legend, Products, WorstCities } from './map-aside.tsx'
import { filtered, type MapFilter } from './place-clusters.ts'
import { ProviderClusters } from './provider-clusters.tsx'
import type { Asked, MapProps } from './view.ts'

// The outlines are large: figures come first.
const OutlineMap = lazy(async () => ({ default: (await import('./outline-map.tsx')).OutlineMap }))

const everything: MapFilter = { hidden: new Set(), alarmed: false }
const wholeWorld: Asked = { box: [-180, -90, 180, 90], zoom: 3 }
const none: [] = []

function Picture(props: MapProps) {
  // spec 7: the provider's map when its script has come; else the bundled one.
  const api = providerApi()
  return (
    <Suspense
      fallback={<div className="home-wait grow round-6 grey-fill high-48" role="status" aria-label={t('地图加载中')} />}
    >
      {api ? <ProviderClusters {...props} api={api} /> : <OutlineMap {...props} />}
    </Suspense>
  )
}

/** @param refused the role may not see devices: the map's own refusal says so */
export function MapPanel({ summary, refused }: { summary: HomeSummary | undefined; refused: boolean }) {
  const [asked, setAsked] = useState<Asked>()
  const [productID, setProductID] = useState('')
  const [filter, setFilter] = useState(everything)
  const [target, setTarget] = useState<{ place: Degrees }>()
  const pace = useLivePolling()
  const body = { ...(asked ?? wholeWorld), ...(productID && { productID }) }
  const query = useQuery({
    ...mapQuery(body),
    enabled: asked !== undefined,
    refetchInterval: pace,
  })
  const onAsk = useCallback(
    (next: Asked) => setAsked((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next)),
    [],
  )
  const all = query.data?.clusters ?? none
  const clusters = useMemo(() => filtered(all, filter), [all, filter])
  const empty = !refused && summary?.totals.total === 0
  return (
    <section
      className={empty ? 'home-map grow relative clip' : 'home-map grow relative clip home-map-filled'}
      aria-label={t('设备分布')}
    >
      <Picture
        clusters={clusters}
        onAsk={onAsk}
        target={target}
        listPath={devicesPath(productID ? { productID } : {})}
      />
      {summary && !empty && !refused && (
        <Products
          products={summary.byProduct}
          total={summary.totals.total}
          chosen={productID}
          onChoose={setProductID}
        />
      )}
      {query.data && !empty && <Legend filter={filter} onChange={setFilter} asked={body} />}
      {query.data && (
        <WorstCities
          worst={query.data.worst}
          unplaced={query.data.unplaced}
          onChoose={({ longitude, latitude }) => setTarget({ place: [longitude, latitude] })}
        />
      )}
      {query.isError && !query.data && (
        <div className="home-map-state centered row column center softer">
          <Loaded query={query} subject={t('设备分布')}>
            {() => null}
          </Loaded>
        </div>
      )}
      {empty && (
        <div className="home-map-state centered row column center softer">
          <p className="home-empty-title main-text">{t('还没有设备')}</p>
          <p>{t('建好产品、新增设备并连接后，这里实时显示它们的分布和状态。')}</p>
          <May needs={createProduct}>
            <Link className="home-button main-text high-32 inline-row touch" to={paths.products}>
              {t('去新增产品')}
            </Link>
          </May>
        </div>
      )}
    </section>
  )
}
