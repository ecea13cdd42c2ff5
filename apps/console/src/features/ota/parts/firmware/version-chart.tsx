import type { ExportColumn } from '@ithings/contract/features/jobs.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { ChartExport } from '#kit/chart-export.tsx'
import { readingOf } from '#kit/exporting.ts'
import { Loaded } from '#kit/states/loaded.tsx'
import { percentText } from '../../progress.ts'
import { deviceVersionsQuery } from '../../queries.ts'

const shownVersions = 8

interface VersionCount {
  version: string
  count: number
  online: number
}

/** The most frequent versions, the others as one bar. Pure. */
export function versionBars(list: readonly VersionCount[]): VersionCount[] {
  if (list.length <= shownVersions) return [...list]
  const rest = list.slice(shownVersions - 1)
  return [
    ...list.slice(0, shownVersions - 1),
    {
      version: t('其余 {count} 个版本', { count: rest.length }),
      count: rest.reduce((sum, { count }) => sum + count, 0),
      online: rest.reduce((sum, { online }) => sum + online, 0),
    },
  ]
}

function Bars({ counts, version }: { counts: readonly VersionCount[]; version: string }) {
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return <p className="meta">{t('产品还没有设备，或没有设备上报过版本。')}</p>
  const bars = versionBars(counts)
  const most = Math.max(...bars.map(({ count }) => count))
  return (
    <ul className="version-bars bare-list column gap-8" aria-label={t('设备的版本分布')}>
      {bars.map((bar) => (
        <li key={bar.version} className={bar.version === version ? 'version-own' : ''}>
          <span className="mono version-name cut" title={bar.version || t('未上报')}>
            {bar.version || t('未上报')}
          </span>
          <span className="share block clip grey-fill" aria-hidden="true">
            <span style={{ width: `${(bar.count / most) * 100}%` }} />
          </span>
          <span className="version-count size-13 nowrap">
            {t('{count, number} 台 · {percent}', {
              count: bar.count,
              percent: percentText((bar.count / total) * 100),
            })}
            <span className="meta"> {t('在线 {online, number}', { online: bar.online })}</span>
          </span>
        </li>
      ))}
    </ul>
  )
}

const columns = (): ExportColumn[] => [
  { key: 'version', head: t('版本号'), labels: { '': t('未上报') } },
  { key: 'count', head: t('设备数') },
  { key: 'online', head: t('在线') },
]

/** All versions, also those that the chart shows as one bar. */
export const VersionExport = ({ firmwareID }: { firmwareID: number }) => (
  <ChartExport title={t('设备的版本分布')} columns={columns} source={readingOf(deviceVersionsQuery(firmwareID))} />
)

/** Which versions the fleet runs; the package's own stands out (screens.md 21). */
export function VersionChart({ firmwareID, version }: { firmwareID: number; version: string }) {
  const versions = useQuery(deviceVersionsQuery(firmwareID))
  return (
    <Loaded compact query={versions} subject={t('版本分布')} rows={3}>
      {(counts) => <Bars counts={counts} version={version} />}
    </Loaded>
  )
}
