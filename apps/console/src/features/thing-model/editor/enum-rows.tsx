import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { maxMapping } from '@ithings/contract/thing-model/limits.ts'
import { Button } from 'antd'
import { useContext } from 'react'
import { type EnumRow, newEnumRow } from '../function-draft.ts'
import { EditorContext, FieldIssue, TextControl } from './edit-field.tsx'

interface EnumRowsProps {
  path: string
  rows: readonly EnumRow[]
  onChange: (rows: EnumRow[]) => void
}

/** The next free integer: nobody wants to count. */
function nextValue(rows: readonly EnumRow[]): string {
  const used = rows.map((row) => Number(row.value)).filter(Number.isInteger)
  return String(used.length === 0 ? 0 : Math.max(...used) + 1)
}

/** screens.md 4.2: key and description; kept in the order of the keys by the platform. */
export function EnumRows({ path, rows, onChange }: EnumRowsProps) {
  const { disabled } = useContext(EditorContext)
  const change = (key: string, patch: Partial<EnumRow>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...patch } : row)))
  return (
    <div className="column shrink gap-6" data-path={path}>
      <span className="softer">
        {t('枚举项')}
        <span className="required-mark error-text after-4">*</span>
      </span>
      <div className="bordered round-6">
        <div className="enum-head head-fill line-bottom grid small quiet" aria-hidden="true">
          <span>{t('键值')}</span>
          <span>{t('描述')}</span>
        </div>
        {rows.map(({ key, value, label }, index) => (
          <div key={key} className="enum-row grid" data-path={`${path}.${key}`}>
            <TextControl
              path={`${path}.${key}.value`}
              label={t('第 {index} 项键值', { index: index + 1 })}
              value={value}
              numeric
              onChange={(text) => change(key, { value: text })}
            />
            <TextControl
              path={`${path}.${key}.label`}
              label={t('第 {index} 项描述', { index: index + 1 })}
              value={label}
              onChange={(text) => change(key, { label: text })}
            />
            <Button
              type="text"
              icon={<DeleteOutlined />}
              disabled={disabled}
              aria-label={t('移除第 {index} 项', { index: index + 1 })}
              onClick={() => onChange(rows.filter((row) => row.key !== key))}
            />
            <div style={{ gridColumn: '1 / -1' }}>
              <FieldIssue path={`${path}.${key}.value`} />
              <FieldIssue path={`${path}.${key}.label`} />
            </div>
          </div>
        ))}
        <div className="enum-foot high-32 row wrap at-end">
          <FieldIssue path={path} />
          <Button
            type="link"
            size="small"
            icon={<PlusOutlined />}
            disabled={disabled || rows.length >= maxMapping}
            onClick={() => onChange([...rows, newEnumRow(nextValue(rows))])}
          >
            {t('添加一项')}
          </Button>
        </div>
      </div>
    </div>
  )
}
