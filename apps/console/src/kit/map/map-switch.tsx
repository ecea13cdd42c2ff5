import { GlobalOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import type { MapScope } from './map-scope.ts'

interface MapSwitchProps {
  scope: MapScope
  className?: string
  onChange: (scope: MapScope) => void
}

/** Between China and the world. */
export function MapSwitch({ scope, className, onChange }: MapSwitchProps) {
  const other = scope === 'china' ? 'world' : 'china'
  const label = other === 'world' ? t('显示世界地图') : t('显示中国地图')
  return (
    <button type="button" className={className} aria-label={label} title={label} onClick={() => onChange(other)}>
      <GlobalOutlined />
    </button>
  )
}
