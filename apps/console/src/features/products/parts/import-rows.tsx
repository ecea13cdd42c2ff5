import { deviceTypeLabels, productID as productIDRule } from '@ithings/contract/features/products/info.ts'
import { Input } from 'antd'
import type { Outcome } from '#kit/run-each.ts'
import { describeError } from '#kit/states/describe-error.ts'
import { labelOf, StatusTag } from '#kit/status-tag.tsx'
import type { ReadProduct } from '../read-product-file.ts'

export interface ImportRow extends ReadProduct {
  key: number
  outcome?: Outcome
}

interface ImportRowsProps {
  rows: readonly ImportRow[]
  disabled: boolean
  onRename: (row: ImportRow, name: string) => void
}

function RowState({ row }: { row: ImportRow }) {
  if (row.problems.length > 0) return <StatusTag text={`${row.problems.length} 处错误`} tone="error" />
  if (row.outcome?.state === 'done') return <StatusTag text="已导入" tone="success" />
  if (row.outcome) return <StatusTag text="未导入" tone="error" />
  return <StatusTag text="可导入" tone="processing" />
}

/** What the file holds; a name can be changed here, because names are unique. */
export function ImportRows({ rows, disabled, onRename }: ImportRowsProps) {
  return (
    <ul className="import-rows">
      {rows.map((row) => {
        const { info, counts, outcome, problems } = row
        const id = productIDRule.safeParse(info.productID)
        return (
          <li key={row.key}>
            <div className="row gap-12">
              <Input
                aria-label="产品名称"
                value={info.productName}
                maxLength={64}
                disabled={disabled || problems.length > 0 || outcome?.state === 'done'}
                onChange={(event) => onRename(row, event.target.value)}
              />
              <RowState row={row} />
            </div>
            <div className="meta">
              {id.success && <span className="mono-payload">{id.data}</span>}
              {problems.length === 0 && ` ${labelOf(deviceTypeLabels, Number(info.deviceType ?? 1))}，`}
              属性 {counts.properties}，事件 {counts.events}，行为 {counts.actions}
            </div>
            {outcome?.state === 'failed' && <div className="import-problem">{describeError(outcome.error).reason}</div>}
            {problems.slice(0, 5).map((problem) => (
              <div key={problem} className="import-problem">
                {problem}
              </div>
            ))}
            {problems.length > 5 && <div className="import-problem">还有 {problems.length - 5} 处</div>}
          </li>
        )
      })}
    </ul>
  )
}
