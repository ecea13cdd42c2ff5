import {
  CodeOutlined,
  HistoryOutlined,
  ImportOutlined,
  MoreOutlined,
  PlusOutlined,
  SearchOutlined,
} from '@ant-design/icons'
import { createSchema, importTsl } from '@ithings/contract/features/thing-model.ts'
import { t } from '@ithings/contract/text.ts'
import { FunctionType, functionTypeLabels } from '@ithings/contract/thing-model/model.ts'
import { Button, Dropdown, Input, Segmented } from 'antd'
import { useEffect, useState } from 'react'
import { ActButton, useHeld } from '#kit/rights.tsx'
import { usePhone } from '#kit/use-phone.ts'

const pause = 300

/** What is typed goes to the URL after a short pause; what the URL says (Back, 清空筛选) comes back into the box. */
function useSearchText(current: string, onSearch: (text: string) => void): [string, (text: string) => void] {
  const [state, setState] = useState({ typed: current, seen: current })
  if (state.seen !== current) setState({ typed: current, seen: current })
  const { typed } = state
  useEffect(() => {
    if (typed.trim() === current) return
    const timer = setTimeout(() => onSearch(typed.trim()), pause)
    return () => clearTimeout(timer)
  }, [typed, current, onSearch])
  return [typed, (text) => setState((before) => ({ ...before, typed: text }))]
}

export type ModelPanel = 'import' | 'json' | 'versions'

interface ModelToolbarProps {
  /** '' stands for all. */
  type: string
  onType: (type: string) => void
  keyword: string
  onKeyword: (keyword: string) => void
  /** By type; undefined while unknown. */
  counts: Readonly<Record<string, number>> | undefined
  onOpen: (panel: ModelPanel) => void
  onCreate: () => void
}

const tabs = [
  { value: '', label: '全部' },
  ...Object.values(FunctionType).map((type) => ({ value: String(type), label: functionTypeLabels[type] })),
]

const panels = [
  { key: 'import', label: '导入物模型', needs: importTsl, icon: <ImportOutlined /> },
  { key: 'json', label: '查看 JSON', icon: <CodeOutlined /> },
  { key: 'versions', label: '版本', icon: <HistoryOutlined /> },
] as const

export function ModelToolbar({ type, onType, keyword, onKeyword, counts, onOpen, onCreate }: ModelToolbarProps) {
  const phone = usePhone()
  const shown = useHeld()(panels).map((panel) => ({ ...panel, label: t(panel.label, { context: 'list' }) }))
  const [typed, setTyped] = useSearchText(keyword, onKeyword)
  return (
    <div
      className="model-toolbar line-bottom pad-12-16 gap-8-12 row wrap"
      role="toolbar"
      aria-label={t('物模型工具栏')}
    >
      <Segmented
        aria-label={t('功能类型')}
        block={phone}
        value={type}
        onChange={onType}
        options={tabs.map(({ value, label }) => ({
          value,
          label: (
            <span className="inline-row baseline gap-6">
              {t(label, { context: 'list' })}
              <span className="small quiet" style={{ minWidth: '1ch' }}>
                {counts?.[value] ?? ''}
              </span>
            </span>
          ),
        }))}
      />
      <Input
        className="model-search"
        allowClear
        prefix={<SearchOutlined />}
        placeholder={t('名称或标识符')}
        aria-label={t('名称或标识符')}
        maxLength={128}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onPressEnter={() => onKeyword(typed.trim())}
      />
      <span className="flex to-end gap-8">
        {phone ? (
          <Dropdown
            trigger={['click']}
            menu={{ items: shown.map((panel) => ({ ...panel, onClick: () => onOpen(panel.key) })) }}
          >
            <Button icon={<MoreOutlined />} aria-label={t('更多')} />
          </Dropdown>
        ) : (
          shown.map(({ key, label, icon }) => (
            <Button key={key} icon={icon} onClick={() => onOpen(key)}>
              {label}
            </Button>
          ))
        )}
        <ActButton needs={createSchema} type="primary" icon={<PlusOutlined />} onClick={onCreate}>
          {t('新增功能')}
        </ActButton>
      </span>
    </div>
  )
}
