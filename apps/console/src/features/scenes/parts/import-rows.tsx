import { describeScene } from '@ithings/contract/rules/describe.ts'
import { triggerTypeLabels } from '@ithings/contract/rules/scene-text.ts'
import { Input } from 'antd'
import { describeError } from '#kit/states/describe-error.ts'
import { StatusTag } from '#kit/status-tag.tsx'
import type { ReadScene } from '../scene-file.ts'
import { SceneRule } from './scene-rule.tsx'
import { productsOf, type useImportNames } from './use-import-names.ts'

export interface ImportRow extends ReadScene {
  key: number
  /** The name in the file, when it was taken here. */
  renamedFrom?: string
  outcome?: { state: 'done' } | { state: 'failed'; error: unknown }
}

interface ImportRowsProps extends ReturnType<typeof useImportNames> {
  rows: readonly ImportRow[]
  disabled: boolean
  onRename: (row: ImportRow, name: string) => void
}

function RowState({ row }: { row: ImportRow }) {
  if (row.problems.length > 0) return <StatusTag text="不能导入" tone="error" />
  if (row.outcome?.state === 'done') return <StatusTag text="已导入" tone="success" />
  if (row.outcome) return <StatusTag text="未导入" tone="error" />
  return <StatusTag text="可导入" tone="processing" />
}

/** What the file holds, in sentences; a name can be changed here, because names are unique. */
export function ImportRows({ rows, disabled, onRename, names, gone }: ImportRowsProps) {
  return (
    <ul className="scene-import">
      {rows.map((row) => {
        const { parts, problems, outcome } = row
        const said = parts && describeScene(parts, names)
        const missing = parts ? productsOf(parts).filter((id) => gone?.has(id)) : []
        return (
          <li key={row.key}>
            <div className="row gap-12">
              <Input
                aria-label="场景名称"
                value={row.name}
                maxLength={64}
                disabled={disabled || problems.length > 0 || outcome?.state === 'done'}
                onChange={(event) => onRename(row, event.target.value)}
              />
              <RowState row={row} />
            </div>
            {parts && (
              <div className="meta">
                {triggerTypeLabels[parts.triggerType]}
                {row.renamedFrom !== undefined && `，名称「${row.renamedFrom}」已存在，将改名导入`}
              </div>
            )}
            {said && <SceneRule scene={{ triggerText: said.trigger, whenText: said.when, thenText: said.then }} />}
            {missing.length > 0 && <div className="scene-import-warning">本平台没有产品 {missing.join('、')}</div>}
            {outcome?.state === 'failed' && (
              <div className="scene-import-problem">{describeError(outcome.error).reason}</div>
            )}
            {problems.map((problem) => (
              <div key={problem} className="scene-import-problem">
                {problem}
              </div>
            ))}
          </li>
        )
      })}
    </ul>
  )
}
