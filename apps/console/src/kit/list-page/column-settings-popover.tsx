import { ArrowDownOutlined, ArrowUpOutlined, HolderOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { Button, Checkbox, Popover, Tooltip } from 'antd'
import { useState } from 'react'
import { type ColumnInfo, type ColumnSettings, defaultSettings, moveColumn } from './column-settings.ts'
import { ColumnsIcon } from './toolbar-icons.tsx'

interface PanelProps {
  columns: readonly ColumnInfo[]
  settings: ColumnSettings
  onChange: (settings: ColumnSettings) => void
}

/** Show, hide and reorder columns, by mouse (drag) and by keyboard (the arrows). spec 9: settings list height 400. */
function ColumnPanel({ columns, settings, onChange }: PanelProps) {
  const [dragged, setDragged] = useState<string>()
  const titles = new Map(columns.map((column) => [column.key, column]))
  const move = (key: string, to: number) => onChange({ ...settings, order: moveColumn(settings.order, key, to) })
  const show = (key: string, shown: boolean) => {
    const hidden = settings.hidden.filter((one) => one !== key)
    onChange({ ...settings, hidden: shown ? hidden : [...hidden, key] })
  }
  return (
    <div style={{ width: 260 }}>
      <ul className="column-list scroll-y pad-0" aria-label={t('列')}>
        {settings.order.map((key, at) => {
          const column = titles.get(key)
          if (!column) return null
          return (
            <li
              key={key}
              className={
                dragged === key
                  ? 'column-row hover-fill round-4 high-36 row gap-8 column-row-dragged'
                  : 'column-row hover-fill round-4 high-36 row gap-8'
              }
              draggable
              onDragStart={() => setDragged(key)}
              onDragEnd={() => setDragged(undefined)}
              onDragOver={(event) => event.preventDefault()}
              onDragEnter={() => dragged && dragged !== key && move(dragged, at)}
              onDrop={(event) => event.preventDefault()}
            >
              <HolderOutlined className="column-grip" aria-hidden="true" />
              <Checkbox
                checked={!settings.hidden.includes(key)}
                disabled={column.hideable === false}
                onChange={(event) => show(key, event.target.checked)}
              >
                {t(column.title)}
              </Checkbox>
              <span className="inline-flex" style={{ gap: 2 }}>
                <button
                  type="button"
                  className="plain-button icon-button inline-row quiet center"
                  aria-label={t('上移 {title}', { title: t(column.title) })}
                  disabled={at === 0}
                  onClick={() => move(key, at - 1)}
                >
                  <ArrowUpOutlined />
                </button>
                <button
                  type="button"
                  className="plain-button icon-button inline-row quiet center"
                  aria-label={t('下移 {title}', { title: t(column.title) })}
                  disabled={at === settings.order.length - 1}
                  onClick={() => move(key, at + 1)}
                >
                  <ArrowDownOutlined />
                </button>
              </span>
            </li>
          )
        })}
      </ul>
      <div className="line-above above-8 row between" style={{ paddingTop: 8 }}>
        <span className="meta">
          {t('显示 {shown} / {total} 列', {
            shown: settings.order.length - settings.hidden.length,
            total: settings.order.length,
          })}
        </span>
        <Button type="text" size="small" onClick={() => onChange(defaultSettings(columns))}>
          {t('恢复默认')}
        </Button>
      </div>
    </div>
  )
}

export function ColumnSettingsPopover(props: PanelProps) {
  const [open, setOpen] = useState(false)
  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      title={t('列设置')}
      open={open}
      onOpenChange={setOpen}
      destroyOnHidden
      content={<ColumnPanel {...props} />}
    >
      <Tooltip title={open ? undefined : t('列设置')}>
        <Button type="text" icon={<ColumnsIcon />} aria-label={t('列设置')} aria-expanded={open} />
      </Tooltip>
    </Popover>
  )
}
