import { DownloadOutlined, DownOutlined, FolderAddOutlined, TagOutlined } from '@ant-design/icons'
import type { Endpoint } from '@ithings/contract/endpoint.ts'
import {
  exportDevices,
  multiDeleteDevices,
  multiUpdateDevices,
  simulateDevices,
} from '@ithings/contract/features/devices/bulk.ts'
import { addGroupDevices } from '@ithings/contract/features/groups.ts'
import { Button, Dropdown } from 'antd'
import { May, useHeld } from '#kit/rights.tsx'
import { usePhone } from '#kit/use-phone.ts'
import type { BulkKind } from './bulk-modal.tsx'

interface SelectionActionsProps {
  onBulk: (kind: BulkKind) => void
  onExport: () => void
}

interface Bulk {
  key: BulkKind
  label: string
  needs: Endpoint
  icon?: React.ReactNode
}

const usual: Bulk[] = [
  { key: 'group', label: '加入分组', needs: addGroupDevices, icon: <FolderAddOutlined /> },
  { key: 'tags', label: '设置标签', needs: multiUpdateDevices, icon: <TagOutlined /> },
]
const rare: Bulk[] = [
  { key: 'logLevel', label: '设置日志级别', needs: multiUpdateDevices },
  { key: 'simulate', label: '模拟设备', needs: simulateDevices },
  { key: 'real', label: '停止模拟', needs: simulateDevices },
  { key: 'enable', label: '启用', needs: multiUpdateDevices },
  { key: 'disable', label: '禁用', needs: multiUpdateDevices },
  { key: 'delete', label: '删除', needs: multiDeleteDevices },
]
export const bulkNeeds: readonly Endpoint[] = [exportDevices, ...[...usual, ...rare].map(({ needs }) => needs)]

/** mockup 03: the usual ones as buttons, the rare ones behind 更多; on a phone all of them. */
export function SelectionActions({ onBulk, onExport }: SelectionActionsProps) {
  const phone = usePhone()
  const held = useHeld()
  const item = ({ key, label, needs }: Bulk) => ({ key, label, needs, onClick: () => onBulk(key) })
  const exporting = { key: 'export', label: '导出', needs: exportDevices, onClick: onExport }
  const items = held(phone ? [...usual.map(item), exporting, ...rare.map(item)] : rare.map(item))
  return (
    <>
      {!phone &&
        held(usual).map(({ key, label, icon }) => (
          <Button key={key} type="text" icon={icon} onClick={() => onBulk(key)}>
            {label}
          </Button>
        ))}
      {!phone && (
        <May needs={exportDevices}>
          <Button type="text" icon={<DownloadOutlined />} onClick={onExport}>
            导出
          </Button>
        </May>
      )}
      {items.length > 0 && (
        <Dropdown trigger={['click']} menu={{ items }}>
          <Button type="text">
            {phone ? '操作' : '更多'} <DownOutlined />
          </Button>
        </Dropdown>
      )}
    </>
  )
}
