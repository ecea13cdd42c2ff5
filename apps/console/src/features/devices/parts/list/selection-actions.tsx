import { DownloadOutlined, DownOutlined, FolderAddOutlined, TagOutlined } from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
import type { BulkKind } from './bulk-modal.tsx'

interface SelectionActionsProps {
  onBulk: (kind: BulkKind) => void
  onExport: () => void
}

const more: { key: BulkKind; label: string }[] = [
  { key: 'logLevel', label: '设置日志级别' },
  { key: 'enable', label: '启用' },
  { key: 'disable', label: '禁用' },
  { key: 'delete', label: '删除' },
]

/** mockup 03: the usual ones as buttons, the rare ones behind 更多. */
export function SelectionActions({ onBulk, onExport }: SelectionActionsProps) {
  return (
    <>
      <Button type="text" icon={<FolderAddOutlined />} onClick={() => onBulk('group')}>
        加入分组
      </Button>
      <Button type="text" icon={<TagOutlined />} onClick={() => onBulk('tags')}>
        设置标签
      </Button>
      <Button type="text" icon={<DownloadOutlined />} onClick={onExport}>
        导出
      </Button>
      <Dropdown
        trigger={['click']}
        menu={{ items: more.map(({ key, label }) => ({ key, label, onClick: () => onBulk(key) })) }}
      >
        <Button type="text">
          更多 <DownOutlined />
        </Button>
      </Dropdown>
    </>
  )
}
