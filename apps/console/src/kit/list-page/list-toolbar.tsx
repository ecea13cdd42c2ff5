import { ReloadOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { Button, Tooltip } from 'antd'
import type { ReactNode } from 'react'
import { usePreferences } from '#kit/preferences.tsx'
import { clockTime } from '#kit/time.ts'
import { DensityIcon } from './toolbar-icons.tsx'

interface ListToolbarProps {
  left: ReactNode
  /** The selection bar replaces the left part at the same height, so nothing jumps (look.md 10). */
  selection: ReactNode
  extra: ReactNode
  updatedAt: number
  refreshing: boolean
  onRefresh: () => void
  /** The button of the export. */
  download: ReactNode
  columns: ReactNode
  phone: boolean
  total: number | undefined
}

export function ListToolbar(props: ListToolbarProps) {
  const { left, selection, extra, updatedAt, refreshing, onRefresh, download, columns, phone, total } = props
  const { density, set } = usePreferences()
  // Without a left part of its own the time stands there, so that the bar is never half empty.
  const updated = updatedAt > 0 && <span className="meta">{t('更新于 {time}', { time: clockTime(updatedAt) })}</span>
  const quiet = phone
    ? total !== undefined && <span className="meta">{t('共 {count, number} 条', { count: total })}</span>
    : updated
  const nextDensity = density === 'middle' ? 'small' : 'middle'
  return (
    <div
      className={
        selection
          ? 'list-toolbar line-bottom row between gap-8-16 high-48 list-toolbar-selecting tint-fill'
          : 'list-toolbar line-bottom row between gap-8-16 high-48'
      }
      role="toolbar"
      aria-label={t('列表工具栏')}
    >
      <div className="list-toolbar-left grow shrink">{selection || left || quiet}</div>
      <div className="list-toolbar-right row gap-4">
        {extra}
        {(selection || left) && !phone && updated}
        {download}
        <Tooltip title={t('刷新')}>
          <Button
            type="text"
            icon={<ReloadOutlined spin={refreshing} />}
            aria-label={t('刷新')}
            aria-busy={refreshing}
            onClick={onRefresh}
          />
        </Tooltip>
        {!phone && (
          <Tooltip title={density === 'middle' ? t('密度：标准') : t('密度：紧凑')}>
            <Button
              type="text"
              icon={<DensityIcon />}
              aria-label={t('密度')}
              aria-pressed={density === 'small'}
              onClick={() => set({ density: nextDensity })}
            />
          </Tooltip>
        )}
        {!phone && columns}
      </div>
    </div>
  )
}
