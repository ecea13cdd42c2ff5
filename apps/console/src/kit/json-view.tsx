import { DownloadOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { CopyButton } from './copyable.tsx'
import { downloadText } from './download.ts'
import { JsonTree } from './json-tree.tsx'
import './json-view.css'

export interface JsonViewProps {
  /** A value, or text that may be JSON; text that is none is shown as it is. */
  value: unknown
  /** Adds a download button. */
  fileName?: string
  /** Levels that are open at first. */
  openLevels?: number
  maxHeight?: number
}

const unset = Symbol('not JSON')

function parse(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return unset
  }
}

/** JSON as a folding tree or as text, with copy and download. */
export function JsonView({ value, fileName, openLevels = 2, maxHeight = 400 }: JsonViewProps) {
  const [mode, setMode] = useState<'tree' | 'text'>('tree')
  const parsed = parse(value)
  if (value === undefined || value === '') return <span className="no-value">—</span>
  const isText = parsed === unset
  const text = isText ? String(value) : JSON.stringify(parsed, null, 2)
  return (
    <div className="json-view head-fill lined round-6">
      <div className="line-bottom pad-x-8 high-36 row between">
        {!isText && (
          <Segmented
            size="small"
            aria-label={t('显示方式')}
            value={mode}
            options={[
              { label: t('树'), value: 'tree' },
              { label: t('文本'), value: 'text' },
            ]}
            onChange={setMode}
          />
        )}
        <span className="inline-row to-end gap-8">
          <CopyButton text={text} />
          {fileName && (
            <Button
              type="text"
              size="small"
              icon={<DownloadOutlined />}
              aria-label={t('下载')}
              onClick={() => downloadText(text, fileName)}
            />
          )}
        </span>
      </div>
      <div className="json-view-body line-20 scroll pad-8-12 mono-payload" style={{ maxHeight }}>
        {isText || mode === 'text' ? <pre>{text}</pre> : <JsonTree value={parsed} openLevels={openLevels} />}
      </div>
    </div>
  )
}
