import { readCluster } from '@ithings/contract/features/cluster.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { paths } from '#kit/paths.ts'
import { useMay } from '#kit/rights.tsx'
import { Loaded } from '#kit/states/loaded.tsx'
import './cluster.css'
import { clusterQuery } from './cluster-query.ts'
import { DurabilityText } from './durability.tsx'

/** In the settings: what the database promises, and where its servers are shown. */
export function DurabilityCard() {
  const held = useMay()(readCluster)
  const cluster = useQuery({ ...clusterQuery, enabled: held })
  if (!held) return null
  return (
    <section className="list-card durability-card above-16" aria-labelledby="durability-title">
      <h2 id="durability-title" className="title below-8">
        {t('数据可靠性')}
      </h2>
      <Loaded compact query={cluster} subject={t('数据可靠性')} rows={1}>
        {({ database }) => (
          <div className="row wrap between gap-12">
            <DurabilityText {...database} />
            <Link to={paths.cluster}>{t('查看集群')}</Link>
          </div>
        )}
      </Loaded>
    </section>
  )
}
